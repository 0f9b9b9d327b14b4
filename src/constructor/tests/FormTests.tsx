import { type ReactElement, useCallback, useRef } from 'react'
import { updateFormTest } from '../../contract/caseType/formTests.ts'
import type { Calendars } from '../../contract/deadlines/calendars.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { FormTest } from '../../contract/generated.ts'
import { useItemLabels } from '../../engine/core/useItemLabels.ts'
import { Disclosure } from '../controls/Disclosure.tsx'
import {
  type CoveredCondition,
  coverageSentence,
  describeUncovered,
  isCovered,
} from '../forms/formTestCoverage.ts'
import type { Draft } from '../state/caseType.ts'
import type { EditorError } from '../state/editorErrors.ts'
import type { EditTests } from '../state/useDraftHistory.ts'
import { TestEntry } from './TestEntry.tsx'
import { type TestResults, useTestDeps, useTestResults } from './useTestResults.ts'

/** Maximum number of conditions listed; a large form without tests has too many to read. */
const MAX_LISTED = 50

interface Props {
  draft: Draft
  service: number
  calendars: Calendars | undefined
  editTests: EditTests
  announce: (words: string) => void
  onGo: (place: Pick<EditorError, 'meta' | 'address' | 'definition'>) => void
}

/** The tests of a case type with their results, and the conditions that they do not cover. */
export function FormTests(props: Props): ReactElement {
  const { draft, service, calendars, editTests, announce, onGo } = props
  const deps = useTestDeps(service, draft, calendars)
  const results = useTestResults(draft, deps)
  const box = useRef<HTMLDivElement>(null)
  const { tests } = draft
  const replace = (test: FormTest, next: FormTest[], what: string) =>
    editTests(test.meta, (before) => before.flatMap((one) => (one === test ? next : [one])), what)
  const remove = (test: FormTest) => {
    replace(test, [], 'Test removed')
    announce(`Test removed: ${test.name}`)
    box.current?.focus()
  }
  const update = (test: FormTest) => {
    replace(test, [updateFormTest(draft[test.meta], test, deps)], 'Test updated')
    announce(`Test updated: ${test.name}`)
  }
  return (
    <Disclosure className="constructor-tests" summary={<Summary tests={tests} results={results} />}>
      <div ref={box} tabIndex={-1} className="constructor-tests-box">
        {tests.length === 0 && (
          <p>
            A test checks that a form still does the same with certain answers, and is run before each
            publication. Fill in the preview and choose “Keep this as a test”.
          </p>
        )}
        <ul className="constructor-versions">
          {tests.map((test) => (
            <TestEntry
              // Names are unique.
              key={test.name}
              test={test}
              groups={draft[test.meta]}
              deps={deps}
              differences={results?.differences.get(test)}
              others={tests.filter((one) => one !== test).map(({ name }) => name)}
              onRename={(name) => replace(test, [{ ...test, name }], 'Test renamed')}
              onUpdate={() => update(test)}
              onRemove={() => remove(test)}
            />
          ))}
        </ul>
        <Uncovered conditions={results?.conditions} onGo={onGo} />
      </div>
    </Disclosure>
  )
}

function Summary({ tests, results }: { tests: FormTest[]; results: TestResults | undefined }) {
  const failing = tests.filter((test) => (results?.differences.get(test)?.length ?? 0) > 0).length
  return (
    <>
      <strong>Tests:</strong>{' '}
      <span role="status">
        {testsSentence(tests.length, failing)} {results && coverageSentence(results.conditions)}
      </span>
    </>
  )
}

/** "1 of 3 tests fails." */
function testsSentence(count: number, failing: number): string {
  if (count === 0) return 'none yet.'
  if (failing > 0) return `${failing} of ${count} ${failing === 1 ? 'fails' : 'fail'}.`
  return count === 1 ? 'the one there is passes.' : `all ${count} pass.`
}

/** The conditions that no test covers, each with a link to its field. */
function Uncovered({ conditions = [], onGo }: { conditions?: CoveredCondition[] } & Pick<Props, 'onGo'>) {
  const describe = useCallback(
    (itemLabel: ItemLabel) =>
      conditions
        .filter((one) => !isCovered(one))
        .slice(0, MAX_LISTED)
        .map((one) => ({ one, words: describeUncovered(one, itemLabel) })),
    [conditions],
  )
  const listed = useItemLabels(describe)
  if (listed.length === 0) return null
  const more = conditions.filter((one) => !isCovered(one)).length - listed.length
  return (
    <Disclosure summary="Conditions that are in no test">
      <ul className="constructor-sentences">
        {listed.map(({ one, words }, i) => (
          // An index as key, because two fields may have the same label and condition.
          <li key={i}>
            <button type="button" className="constructor-link" onClick={() => onGo(one)}>
              {words}
            </button>
          </li>
        ))}
        {more > 0 && <li>{more} more</li>}
      </ul>
    </Disclosure>
  )
}
