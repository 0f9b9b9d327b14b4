import type { ReactElement } from 'react'
import { kindOf } from '../../contract/calculate.ts'
import { FIELD_TYPES, holdsRows, isDay, offeredOptions } from '../../contract/fieldTypes.ts'
import { type Argument, TODAY } from '../../contract/formula.ts'
import type { Field } from '../../contract/generated.ts'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'

const OWN = '#own'
const NONE = '#none'
const CHOICE = '#choice '

interface Props {
  label: string
  /** Shows the label only to screen readers, because the context makes it clear. */
  quiet?: boolean
  /** The field that gets the value. */
  field: Field
  /** Fields whose answer may be the value; omitted: only values of its own. */
  offered?: Field[]
  then: Argument | undefined
  messages?: string[]
  onChange: (then: Argument | undefined, typing?: boolean) => void
}

/** The value of one row of a calculation by conditions: one of its own, the answer to a field, or none. */
export function ThenSetting({
  label,
  quiet,
  field,
  offered,
  then,
  messages = [],
  onChange,
}: Props): ReactElement {
  const isChoice = kindOf(field) === 'choice'
  const isNumber = kindOf(field) === 'number'
  const sources = (offered ?? []).filter(
    (one) => !holdsRows(one) && kindOf(one) === kindOf(field) && one.name !== field.name,
  )
  const options = isChoice
    ? offeredOptions(field).map((one) => ({ value: CHOICE + JSON.stringify(one.value), label: one.label }))
    : [{ value: OWN, label: OWN_WORDS[kindOf(field) ?? ''] ?? 'A text of its own' }]
  const choices = [
    ...options,
    ...(isDay(field) ? [{ value: TODAY as string, label: 'Today' }] : []),
    ...sources.map(({ name, label: words }) => ({ value: name, label: `The answer to ‘${words}’` })),
    { value: NONE, label: 'No value' },
  ]
  const literal = typeof then === 'object' ? then.text : typeof then === 'number' ? then : undefined
  const choose = (next: string | undefined) => {
    if (next === undefined || next === NONE) return onChange(undefined)
    if (next.startsWith(CHOICE)) return onChange(argumentOf(JSON.parse(next.slice(CHOICE.length))))
    onChange(next === OWN ? (isNumber ? 0 : { text: '' }) : next)
  }
  const typed = (text: string) => (isNumber ? Number(text) : { text })
  if (!offered && !isChoice && typeof then !== 'string') {
    return (
      <TextSetting
        label={label}
        quiet={quiet}
        type={isNumber ? 'number' : (FIELD_TYPES[field.type].literal?.input ?? 'text')}
        maxLength={500}
        value={String(literal ?? '')}
        messages={messages}
        onChange={(text) => onChange(text === '' ? undefined : typed(text), true)}
      />
    )
  }
  return (
    <>
      <SelectSetting
        label={label}
        quiet={quiet}
        value={selected(then, isChoice)}
        none={then === '' ? 'Choose a value…' : undefined}
        choices={choices}
        messages={literal === undefined || isChoice ? messages : []}
        onChange={choose}
      />
      {literal !== undefined && !isChoice && (
        <TextSetting
          label={`${label}: ${isNumber ? 'number' : isDay(field) ? 'date' : 'text'}`}
          quiet
          type={isNumber ? 'number' : (FIELD_TYPES[field.type].literal?.input ?? 'text')}
          maxLength={500}
          value={String(literal)}
          messages={messages}
          onChange={(text) => onChange(typed(text), true)}
        />
      )}
    </>
  )
}

const OWN_WORDS: Record<string, string> = { number: 'A number of its own', date: 'A date of its own' }

function selected(then: Argument | undefined, isChoice: boolean): string | undefined {
  if (then === undefined) return NONE
  if (then === '') return undefined
  if (typeof then === 'string') return then
  return isChoice ? CHOICE + JSON.stringify(typeof then === 'object' ? then.text : then) : OWN
}

function argumentOf(value: string | number): Argument {
  return typeof value === 'number' ? value : { text: value }
}
