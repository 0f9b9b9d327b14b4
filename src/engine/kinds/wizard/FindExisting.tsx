import { Button } from '@blueprintjs/core'
import { useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Existing, Step } from '../../../contract/generated.ts'
import { type PersonTerm, readPersonTerm } from '../../../contract/personTerm.ts'
import { capitalised } from '../../../contract/quoted.ts'
import { isPlainObject, type Values } from '../../../contract/when.ts'
import { FirstMark } from '../../cells/MarksCell.tsx'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { formatDate } from '../../core/dates.ts'
import { entityOf } from '../../core/entityOf.ts'
import { today } from '../../core/today.ts'
import { getAt } from '../../form/store/paths.ts'
import Typeahead, { type Choice } from '../../form/widgets/Typeahead.tsx'
import { useDebounced } from '../../form/widgets/useDebounced.ts'
import { FoundDetails, FoundName } from './Differs.tsx'
import { describeFound, reasonsOf } from './describeFound.ts'
import { RecordHas } from './ExistingStep.tsx'
import { FoundRecord } from './FoundRecord.tsx'
import { newRecordOf } from './newRecordOf.ts'
import { useAsk } from './useAsk.ts'
import type { Wizard } from './useWizard.ts'

interface Props {
  /** The later step about the record. */
  step: Step
  wizard: Wizard
  /** Called with the id of an existing record, the first values of a new one, or undefined for neither. */
  onChange: (value: unknown) => void
}

/** One box that finds the record of a later step before anything else is asked, with a new one as the last choice. */
export function FindExisting({ step, wizard, onChange }: Props) {
  const existing = step.existing!
  const value = getAt(wizard.document, step.at ?? '')
  const contract = useContract()
  // A record as it is read has no marks.
  const [taken, setTaken] = useState<Values>()
  const again = <Button text="Search again" onClick={() => onChange(undefined)} />
  if (typeof value === 'number') {
    const { record } = wizard
    if (!record) return null
    const { name, details } = describeFound(entityOf(contract, existing.read), existing, record)
    return (
      <section className="find-existing" aria-label={`Chosen ${existing.label}`}>
        <p>
          <strong>{name}</strong> <span className="existing-details">{details}</span>
          {taken?.id === value && <FirstMark value={taken[existing.marks ?? '']} />}
        </p>
        {existing.has && <RecordHas has={existing.has} record={record} />}
        {again}
      </section>
    )
  }
  if (isPlainObject(value)) {
    const name = (existing.name ?? []).map((key) => value[key]).filter(Boolean)
    return (
      <section className="find-existing" aria-label={`New ${existing.label}`}>
        <p>
          <strong>New {existing.label}</strong> <span className="existing-details">{name.join(' ')}</span>
        </p>
        {again}
      </section>
    )
  }
  const take = (item: Values) => {
    setTaken(item)
    onChange(item.id)
  }
  return <Box existing={existing} onTake={take} onNew={onChange} />
}

const NEW = 'new'
const ADVANCED = 'advanced'

interface BoxProps {
  existing: Existing
  onTake: (item: Values) => void
  onNew: (values: Values) => void
}

function Box({ existing, onTake, onNew }: BoxProps) {
  const contract = useContract()
  const navigate = useNavigate()
  const id = useId()
  const [text, setText] = useState('')
  const { label, box = { label: '', fills: {} } } = existing
  const term = useDebounced(text.trim())
  const isEnough = isSearchable(term)
  const found = useRead<Values[]>(
    isEnough ? existing.search : undefined,
    { query: { term } },
    { keepPrevious: true },
  )
  const items = isEnough && found.data ? found.data : []
  const { ask } = useAsk(existing)
  const isStale = text.trim() !== term || found.isFetching
  const read = readPersonTerm(text, today())
  const entity = entityOf(contract, existing.search)
  const typed = { words: read.words, born: read.dob }
  const { certainty } = existing
  /** The heading of the results that are as certain as this one, and how many they are. */
  const groupOf = (item: Values) => {
    const value = certainty && item[certainty]
    const option = certainty && entity.properties[certainty].options?.find((one) => one.value === value)
    const others = items.filter(
      (other) => other.visible !== false && (!certainty || other[certainty] === value),
    )
    return { group: option ? option.label : `Known ${label}s`, groupNote: String(others.length) }
  }
  const people = items.map((item): Choice => {
    const { name, details } = describeFound(entity, existing, item)
    if (item.visible === false)
      return {
        value: item.id,
        label: `${capitalised(label)} ${item.id} may be the same: ask who works with them`,
        group: 'Known elsewhere',
        groupNote: 'not yours to open',
      }
    const marks = item[existing.marks ?? '']
    return {
      value: item.id,
      label: name,
      about: details,
      shown: {
        label: <FoundName {...{ entity, existing, item, typed }} />,
        about: <FoundDetails {...{ entity, existing, item, typed }} />,
      },
      why: reasonsOf(existing, item),
      marks,
      ...groupOf(item),
    }
  })
  const others: Choice[] = [
    ...(box.advanced ? [{ value: ADVANCED, label: 'Advanced search', isLink: true, stays: true }] : []),
    {
      value: NEW,
      label: `New ${label}`,
      about: partsOf(read).join(', '),
      stays: true,
      group: people.length > 0 ? 'None of these' : undefined,
    },
  ]
  const choose = ({ value }: Choice) => {
    const item = items.find(({ id }) => id === value)
    if (value === NEW) onNew(newRecordOf(read, box.fills))
    else if (value === ADVANCED) navigate(box.advanced!)
    else if (item && item.visible !== false) onTake(item)
    else ask?.(value, newRecordOf(read, box.fills))
  }
  const [highlighted, setHighlighted] = useState<unknown>()
  const visible = items.filter((item) => item.visible !== false)
  const shown = visible.find(({ id }) => id === highlighted) ?? visible[0]
  const describedBy = [box.hint && `${id}-hint`, shown && `${id}-keys`].filter(Boolean).join(' ')
  // Enter chooses on keyup: otherwise the button that is focused next would handle the keyup.
  const chosen = useRef<Choice>(undefined)
  const isEnterDown = useRef(false)
  const page = useRef<HTMLAnchorElement>(null)
  return (
    <div className="find-columns">
      <div className="combobox existing-search find-existing">
        <label htmlFor={id}>{box.label}</label>
        {box.hint && (
          <p className="field-hint" id={`${id}-hint`}>
            {box.hint}
          </p>
        )}
        <Typeahead
          id={id}
          label={`Found ${label}s`}
          text={text}
          choices={isEnough ? [...people, ...others] : []}
          isStale={isStale}
          takesFirst="typed"
          status={() => statusOf(text.trim(), isStale, people.length, label)}
          input={{
            leftIcon: 'search',
            'aria-describedby': describedBy || undefined,
            onKeyDown: (event) => {
              if (event.key === 'Enter') isEnterDown.current = true
            },
            onKeyUp: (event) => {
              if (event.key !== 'Enter') return
              isEnterDown.current = false
              if (chosen.current) choose(chosen.current)
            },
          }}
          onText={setText}
          onOpen={({ value }) => value === shown?.id && page.current?.click()}
          onHighlight={(choice) => setHighlighted(choice?.value)}
          onChoose={(choice) => {
            if (isEnterDown.current) chosen.current = choice
            else choose(choice)
          }}
        />
        {text.trim() !== '' && (
          <p className="read-as">
            Read as{' '}
            {partsOf(read).map((part) => (
              <span key={part}>{part}</span>
            ))}
            {visible.length > 0 && <em>What differs is underlined</em>}
          </p>
        )}
        {shown && (
          <p className="found-keys" id={`${id}-keys`}>
            <span>
              <kbd>↑</kbd> <kbd>↓</kbd> choose
            </span>{' '}
            <span>
              <kbd>Enter</kbd> use the {label}
            </span>{' '}
            <span>
              <kbd>Shift</kbd> <kbd>Enter</kbd> open the record
            </span>
          </p>
        )}
      </div>
      {shown && (
        <FoundRecord
          page={page}
          existing={existing}
          item={shown}
          take={`Use ${describeFound(entity, existing, shown).name}`}
          onTake={() => onTake(shown)}
        />
      )}
    </div>
  )
}

/** Two letters, or one of a script that writes a name in one. */
function isSearchable(term: string): boolean {
  return term.length > 1 || /\p{Script=Han}/u.test(term)
}

function statusOf(typed: string, isStale: boolean, count: number, label: string): string {
  if (!isSearchable(typed)) return ''
  if (isStale) return 'Searching…'
  if (count === 0) return `No ${label} found: check the spelling, or enter a new ${label}`
  return count === 1 ? `1 ${label} found` : `${count} ${label}s found`
}

/** What a search was understood as: 'deirdre dubios' and 'born 25 July 1949'. */
function partsOf({ words, dob, year, number, id, postcode }: PersonTerm): string[] {
  const parts = [
    words.length > 0 && words.join(' '),
    dob && `born ${formatDate(dob)}`,
    year && `born in ${year}`,
    number && `number ${number}`,
    id && `ID ${id}`,
    postcode && `postcode ${postcode}`,
  ]
  return parts.filter((part) => typeof part === 'string')
}
