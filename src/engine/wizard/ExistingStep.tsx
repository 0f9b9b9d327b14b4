import { Button, Radio } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Step } from '../../contract/generated.ts'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import { isPlainObject } from '../../contract/when.ts'
import { ErrorSummary } from '../form/ErrorSummary.tsx'
import { getAt, setAt } from '../form/paths.ts'
import { ReadView } from '../form/ReadView.tsx'
import { Busy } from '../page/Busy.tsx'
import { ExistingSearch } from './ExistingSearch.tsx'
import type { Wizard } from './useWizard.ts'

type Way = 'new' | 'existing'

interface Props {
  step: Step
  wizard: Wizard
  /** What is wrong with the choice, and how often that was found. */
  errors: { validationErrors: FieldErrors; times: number } | undefined
  /** The questions about a new one. */
  children: ReactNode
}

/** A step about a record that may be there already: asked whether it is new, then found or entered. */
export function ExistingStep({ step, wizard, errors, children }: Props) {
  const { label } = step.existing!
  const at = step.at ?? ''
  const value = getAt(wizard.document, at)
  const isChosen = typeof value === 'number'
  const [way, setWay] = useState<Way | undefined>(
    isChosen ? 'existing' : isPlainObject(value) ? 'new' : undefined,
  )
  // Restore what was entered when the person switches back.
  const entered = useRef<unknown>(isPlainObject(value) ? value : undefined)
  const put = (next: unknown) => wizard.put(setAt(wizard.latest(), at, next))
  useEffect(() => {
    if (isChosen) setWay('existing')
  }, [isChosen])
  const turn = (next: Way) => {
    if (next === way) return
    if (isPlainObject(value)) entered.current = value
    put(next === 'new' ? entered.current : undefined)
    setWay(next)
  }
  const message = errors?.validationErrors[at]?.[0]
  const name = `${step.id}-way`
  return (
    <>
      {message && <ErrorSummary key={errors?.times} errors={{ way: [message] }} idPrefix={step.id} />}
      <fieldset
        id={`${step.id}.way`}
        className={message ? 'field existing-way field-invalid' : 'field existing-way'}
        aria-describedby={message && `${name}-error`}
      >
        <legend>New or existing {label}?</legend>
        <Radio name={name} label={`New ${label}`} checked={way === 'new'} onChange={() => turn('new')} />
        <Radio
          name={name}
          label={`Existing ${label}`}
          checked={way === 'existing'}
          onChange={() => turn('existing')}
        />
        {message && (
          <div className="field-error" id={`${name}-error`}>
            <span className="visually-hidden">Error: </span>
            {message}
          </div>
        )}
      </fieldset>
      {way === 'new' && children}
      {way === 'existing' && !isChosen && (
        <ExistingSearch existing={step.existing!} isWrong={Boolean(message)} onChoose={put} />
      )}
      {way === 'existing' && isChosen && (
        <>
          <Button autoFocus text="Change" aria-label={`Change the ${label}`} onClick={() => put(undefined)} />
          {wizard.record ? (
            <ReadView
              sections={wizard.sectionsOf(step)}
              document={setAt(wizard.document, at, wizard.record)}
              conditionContext={wizard.conditionContext}
            />
          ) : (
            <Busy />
          )}
        </>
      )}
    </>
  )
}
