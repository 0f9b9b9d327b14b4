import { Button } from '@blueprintjs/core'
import { type ReactElement, useCallback, useState } from 'react'
import type { FormTestDeps } from '../../contract/caseType/formTests.ts'
import { type Difference, runFormTest } from '../../contract/caseType/runFormTest.ts'
import { dayInWords } from '../../contract/days.ts'
import { describeAnswer, type ItemLabel } from '../../contract/describeAnswer.ts'
import type { FormTest, Group } from '../../contract/generated.ts'
import { fieldsByName } from '../../contract/meta/places.ts'
import { capitalised } from '../../contract/quoted.ts'
import { tagClass } from '../../engine/cells/tagClass.ts'
import { useContract } from '../../engine/core/contract.ts'
import { formatDate } from '../../engine/core/dates.ts'
import { useItemLabels } from '../../engine/core/useItemLabels.ts'
import { Disclosure } from '../controls/Disclosure.tsx'
import { FORMS } from '../state/caseType.ts'
import { NameDialog } from './NameDialog.tsx'

interface Props {
  test: FormTest
  groups: Group[]
  deps: FormTestDeps
  /** Failures of the test; [] if it passes, undefined while it runs. */
  differences: Difference[] | undefined
  /** Names of the other tests. */
  others: string[]
  onRename: (name: string) => void
  onUpdate: () => void
  onRemove: () => void
}

/** A test with its result, its failures in words, and its actions. */
export function TestEntry(props: Props): ReactElement {
  const { test, groups, deps, differences, others, onRename, onUpdate, onRemove } = props
  const { name, meta, as } = test
  const { roles } = useContract().roles
  const [isRenaming, setRenaming] = useState(false)
  const labels = as.roles?.map((id) => roles.find((one) => one.id === id)?.label ?? `role ${id}`)
  const facts = [
    FORMS.find((one) => one.meta === meta)?.title,
    labels && labels.length > 0 && `as ${labels.join(', ')}`,
    `on ${formatDate(as.today)}`,
  ]
  const isFailing = differences !== undefined && differences.length > 0
  const button = (text: string, onClick: () => void) => (
    <Button size="small" text={text} aria-label={`${text}: ${name}`} onClick={onClick} />
  )
  return (
    <li className="constructor-entry">
      <div className="constructor-version">
        <Passed differences={differences} /> <strong>{name}</strong>
        <span className="constructor-facts">{facts.filter(Boolean).join(' · ')}</span>
        {isFailing && <Failures {...{ test, groups, deps }} />}
        <Disclosure summary={<Named text="Answers" name={name} />}>
          <Given test={test} groups={groups} />
        </Disclosure>
      </div>
      <div className="constructor-buttons">
        {isFailing && button('Update to what the form does now', onUpdate)}
        {button('Rename', () => setRenaming(true))}
        {button('Remove', onRemove)}
      </div>
      {isRenaming && (
        <NameDialog
          title="Rename the test"
          hint="What it checks stays as it is."
          text="Rename"
          initial={name}
          taken={others}
          onName={(other) => {
            setRenaming(false)
            onRename(other)
          }}
          onClose={() => setRenaming(false)}
        />
      )}
    </li>
  )
}

function Passed({ differences }: Pick<Props, 'differences'>) {
  if (!differences) return <span className={tagClass('grey')}>Running</span>
  return differences.length > 0 ? (
    <span className={tagClass('red')}>Fails</span>
  ) : (
    <span className={tagClass('green')}>Passes</span>
  )
}

/** A text followed by the name of the test, which only screen readers get. */
function Named({ text, name }: { text: string; name: string }) {
  return (
    <>
      {text}
      <span className="visually-hidden"> of the test {name}</span>
    </>
  )
}

/** Failure messages of a test, with the labels of lookup items. */
export function Failures({ test, groups, deps }: Pick<Props, 'test' | 'groups' | 'deps'>): ReactElement {
  const describe = useCallback(
    (itemLabel: ItemLabel) => runFormTest(groups, test, deps, itemLabel),
    [test, groups, deps],
  )
  return (
    <ul className="constructor-sentences">
      {useItemLabels(describe).map(({ message }) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  )
}

/** The answers of a test, in words. */
function Given({ test, groups }: Pick<Props, 'test' | 'groups'>) {
  const describe = useCallback(
    (itemLabel: ItemLabel) => {
      const fields = fieldsByName(groups)
      const answers = Object.entries(test.given).map(([name, value]) => {
        const field = fields.get(name)
        return `${field?.label ?? name}: ${describeAnswer(field, value, itemLabel)}`
      })
      return [...answers, ...factsInWords(test, itemLabel)]
    },
    [test, groups],
  )
  const answers = useItemLabels(describe)
  if (answers.length === 0) return <p>No answer is given.</p>
  return (
    <ul className="constructor-sentences">
      {answers.map((words) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
  )
}

/** What a test says of the record, its case, its client and last time, and the actions that were done. */
function factsInWords({ with: facts = {} }: FormTest, itemLabel: ItemLabel): string[] {
  const { actions = [] } = facts
  const values = (['record', 'case', 'client', 'last'] as const).flatMap((of) =>
    Object.entries(facts[of] ?? {}).map(([name, value]) => {
      const day = typeof value === 'string' ? dayInWords(value) : undefined
      const where = of === 'last' ? 'last time' : `of the ${of}`
      return `${capitalised(name.replaceAll('_', ' '))} ${where}: ${day ?? String(value)}`
    }),
  )
  return [
    ...values,
    ...actions.map(
      ({ type, on }) => `${itemLabel('action_type', type) ?? `Action ${type}`} on ${dayInWords(on) ?? on}`,
    ),
  ]
}
