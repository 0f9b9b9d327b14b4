import { Button, Radio } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import type { ExistingHas, Step } from '../../../contract/generated.ts'
import { isPlainObject, type Values } from '../../../contract/when.ts'
import { Busy } from '../../core/Busy.tsx'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { linkTo } from '../../core/link.ts'
import { getAt, join, setAt } from '../../form/store/paths.ts'
import { ReadView } from '../../form/widgets/ReadView.tsx'
import { ExistingSearch } from './ExistingSearch.tsx'
import type { Wizard } from './useWizard.ts'

type Way = 'new' | 'existing'

interface Props {
  step: Step
  wizard: Wizard
  /** Prefix of the id of the choice; its path in the document follows. */
  idPrefix: string
  /** Error of the choice. */
  message: string | undefined
  onChange: (value: unknown) => void
  /** Fields of a new record. */
  children: ReactNode
}

/** A step about a record that may exist already: it is searched for, or entered as new. */
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
            <>
              {step.existing!.has && <RecordHas has={step.existing!.has} record={wizard.record} />}
              <ReadView
                sections={wizard.sectionsOf(step)}
                document={setAt(wizard.document, at, wizard.record)}
                conditionContext={wizard.conditionContext}
              />
            </>
          ) : (
            <Busy />
          )}
        </>
      )}
    </>
  )
}

/** Links to what the chosen record already has, such as open cases; nothing if it has none. */
export function RecordHas({ has, record }: { has: ExistingHas; record: Values }) {
  const items = (record[has.field] ?? []) as Values[]
  if (items.length === 0) return null
  const label = items.length === 1 ? has.label : `${has.label}s`
  return (
    <p className="existing-has">
      Has {items.length} {label}:{' '}
      {items.map((item, i) => (
        <span key={String(item.id)}>
          {i > 0 && ', '}
          {/* In a new tab, so that the wizard stays open. */}
          <Link to={linkTo(has.link, item) ?? '/'} target="_blank" rel="noreferrer">
            {fillTemplate(has.name, item)}
            <span className="visually-hidden"> (opens in a new tab)</span>
          </Link>
        </span>
      ))}
    </p>
  )
}
