import { Button, Radio } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Step } from '../../contract/generated.ts'
import { isPlainObject } from '../../contract/when.ts'
import { getAt, join, setAt } from '../form/paths.ts'
import { ReadView } from '../form/ReadView.tsx'
import { Busy } from '../page/Busy.tsx'
import { ExistingSearch } from './ExistingSearch.tsx'
import type { Wizard } from './useWizard.ts'

type Way = 'new' | 'existing'

interface Props {
  step: Step
  wizard: Wizard
  /** Begins the id of the choice, which ends with its place in the document. */
  idPrefix: string
  /** What is wrong with the choice. */
  message: string | undefined
  onChange: (value: unknown) => void
  /** The questions about a new one. */
  children: ReactNode
}

/** A step about a record that may be there already: asked whether it is new, then found or entered. */
export function ExistingStep({ step, wizard, idPrefix, message, onChange, children }: Props) {
  const { label } = step.existing!
  const at = step.at ?? ''
  const value = getAt(wizard.document, at)
  const isChosen = typeof value === 'number'
  const [way, setWay] = useState<Way | undefined>(
    isChosen ? 'existing' : isPlainObject(value) ? 'new' : undefined,
  )
  // Restore what was entered when the person switches back.
  const entered = useRef<unknown>(isPlainObject(value) ? value : undefined)
  useEffect(() => {
    if (isChosen) setWay('existing')
  }, [isChosen])
  const turn = (next: Way) => {
    if (next === way) return
    if (isPlainObject(value)) entered.current = value
    onChange(next === 'new' ? (entered.current ?? {}) : undefined)
    setWay(next)
  }
  const name = `${step.id}-way`
  return (
    <>
      <fieldset
        id={join(idPrefix, at)}
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
        <ExistingSearch existing={step.existing!} isWrong={Boolean(message)} onChoose={onChange} />
      )}
      {way === 'existing' && isChosen && (
        <>
          <Button
            autoFocus
            text="Change"
            aria-label={`Change the ${label}`}
            onClick={() => onChange(undefined)}
          />
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
