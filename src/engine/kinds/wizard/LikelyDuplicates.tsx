import { Button, Callout, Classes, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { Entity, Existing } from '../../../contract/generated.ts'
import { isPlainObject, isSet, type Values } from '../../../contract/when.ts'
import { FirstMark } from '../../cells/MarksCell.tsx'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { ReadFailure } from '../../core/ReadFailure.tsx'
import { getAt } from '../../form/store/paths.ts'
import { FoundDetails, FoundName, type Typed } from './Differs.tsx'
import { describeFound, reasonsOf } from './describeFound.ts'
import { useAsk } from './useAsk.ts'
import { duplicatesQuery, hasCertain } from './useNewness.ts'
import type { Wizard } from './useWizard.ts'

interface Props {
  existing: Existing
  values: Values
  wizard: Wizard
  onChoose: (id: number) => void
  /** Called with the reason why the record is new although one is certainly the same. */
  onBecause: (reason: string) => void
}

interface WithDuplicatesProps extends Omit<Props, 'existing' | 'values'> {
  /** undefined: the step is about no existing record. */
  existing: Existing | undefined
  /** Entered values of a new record, or the id of an existing one. */
  value: unknown
  children: ReactNode
}

/** Takes the first likely duplicate from anywhere on the page. */
const TAKE_KEY = 'F2'

/** The fields of a new record with its likely duplicates: beside them if there is room, otherwise above the bar. */
export function WithDuplicates({ existing, value, children, ...rest }: WithDuplicatesProps) {
  return (
    <div className="existing-page">
      <div className="existing-columns">
        {children}
        {existing?.likely && isPlainObject(value) && (
          <LikelyDuplicates {...{ existing, ...rest }} values={value} />
        )}
      </div>
    </div>
  )
}

/** Warns of likely duplicates of the record being entered, with the reasons. */
function LikelyDuplicates({ existing, values, wizard, onChoose, onBecause }: Props) {
  const contract = useContract()
  const { likely = '', label } = existing
  const query = duplicatesQuery(contract, existing, values)
  const read = useRead<Values[]>(query && likely, { query }, { keepPrevious: true })
  const duplicates = (query && read.data) || []
  const entity = entityOf(contract, likely)
  const isKnown = duplicates.length > 0
  const first = duplicates.find(({ visible }) => visible !== false)
  // The duplicates of earlier values stay visible until the reply, but no key may take one of them.
  const isCurrent = !read.isPlaceholderData
  useShortcut(TAKE_KEY, first && isCurrent ? () => onChoose(Number(first.id)) : undefined)
  const isCertain = hasCertain(existing, duplicates)
  const { ask, isAsking } = useAsk(existing)
  const typed = typedIn(entity, existing, values)
  useEffect(() => {
    if (isKnown) document.activeElement?.scrollIntoView?.({ block: 'nearest' })
  }, [isKnown])
  return (
    <div className="likely" role="status">
      {!read.data && read.error && (
        <Callout intent="warning">
          <ReadFailure
            title={`It could not be checked whether this ${label} is known already.`}
            error={read.error}
            onRetry={() => void read.refetch()}
          />
        </Callout>
      )}
      {isKnown && (
        <Callout intent="warning">
          <h2>{isCertain ? `This ${label} is known already` : `This ${label} may be known already`}</h2>
          <ul>
            {duplicates.map((item) => {
              const { name, details } = describeFound(entity, existing, item)
              const reasons = reasonsOf(existing, item)
              const isHidden = item.visible === false
              return (
                <li key={String(item.id)}>
                  <span>
                    {isHidden ? 'Known elsewhere' : <FoundName {...{ entity, existing, item, typed }} />}{' '}
                    <span className="existing-details">
                      <FoundDetails {...{ entity, existing, item, typed }} />
                    </span>
                    <FirstMark value={item[existing.marks ?? '']} />
                    {reasons && <span className="existing-reasons">{reasons}</span>}
                  </span>
                  {isHidden && ask && (
                    <Button
                      size="small"
                      text="Ask who works with them"
                      aria-label={`Ask who works with ${label} ${item.id}`}
                      loading={isAsking}
                      onClick={() => ask(item.id, values)}
                    />
                  )}
                  {!isHidden && (
                    <Button
                      size="small"
                      text={`Use this ${label}`}
                      aria-label={`Use this ${label}: ${name}, ${details}`}
                      aria-keyshortcuts={item === first ? TAKE_KEY : undefined}
                      endIcon={item === first ? <kbd aria-hidden>{TAKE_KEY}</kbd> : undefined}
                      onClick={() => onChoose(Number(item.id))}
                    />
                  )}
                </li>
              )
            })}
          </ul>
          {isCertain && existing.because && (
            <Because
              label={`Why is this another ${label}?`}
              value={String(getAt(wizard.document, existing.because) ?? '')}
              missing={wizard.reasonMissing}
              onChange={onBecause}
            />
          )}
        </Callout>
      )}
    </div>
  )
}

/** What was entered of the name and the date of birth of a new record. */
function typedIn({ properties }: Entity, { name = [] }: Existing, values: Values): Typed {
  const born = Object.keys(properties).find((key) => properties[key].diedOn)
  return {
    words: name.flatMap((key) => String(values[key] ?? '').split(/[\s-]+/)).filter(Boolean),
    ...(born && isSet(values[born]) && { born: String(values[born]) }),
  }
}

/** Calls a function when a key is pressed anywhere on the page while no dialog is open; undefined: the key does nothing. */
function useShortcut(key: string, run: (() => void) | undefined): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
      if (!latest.current || document.body.classList.contains(Classes.OVERLAY_OPEN)) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [key])
}

interface BecauseProps {
  label: string
  value: string
  /** Set once somebody went on without a reason; another object each time. */
  missing: object | undefined
  onChange: (reason: string) => void
}

/** Asks why a record is new although one that is there is certainly the same. */
function Because({ label, value, missing, onChange }: BecauseProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (missing) input.current?.focus()
  }, [missing])
  const isWrong = Boolean(missing) && value.trim() === ''
  return (
    <div className={isWrong ? 'field field-invalid because' : 'field because'}>
      <label htmlFor={id}>{label}</label>
      <InputGroup
        id={id}
        inputRef={input}
        value={value}
        maxLength={300}
        onValueChange={onChange}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
      />
      {isWrong && (
        <div className="field-error" id={`${id}-error`}>
          <span className="visually-hidden">Error: </span>Say why, or use the one that is there
        </div>
      )}
    </div>
  )
}
