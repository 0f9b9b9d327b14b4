import { Button, InputGroup } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { kindOf } from '../../contract/calculate.ts'
import { type Band, type Bands as BandsOfNumber, readBands, rowsOfBands } from '../../contract/choose.ts'
import { newFieldName } from '../../contract/fieldName.ts'
import { offeredOptions } from '../../contract/fieldTypes.ts'
import type { Argument } from '../../contract/formula.ts'
import type { Field, Option } from '../../contract/generated.ts'
import { describeLimits } from '../../contract/meta/describeCalculation.ts'
import { FORM_LIMITS } from '../../contract/meta/formLimits.ts'
import { quotedAll } from '../../contract/quoted.ts'
import { Disclosure } from '../controls/Disclosure.tsx'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import type { Address } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { ThenSetting } from './ThenSetting.tsx'

interface Props {
  field: Field
  address: Address
  bands: BandsOfNumber
  /** The numbers that can have bands. */
  numbers: Field[]
  set: SetAttrs
}

/** Bands of a number with the value of each, to fill in or to type as lines. */
export function Bands({ field, address, bands: all, numbers, set }: Props): ReactElement {
  const { errors, announce } = useEditorContext()
  const { of, bands, otherwise } = all
  const save = (next: Partial<BandsOfNumber>, typing?: boolean) =>
    set({ choose: rowsOfBands({ ...all, ...next }) }, { what: 'Bands', typing })
  const change = (at: number, band: Band, typing?: boolean) => save({ bands: bands.with(at, band) }, typing)
  return (
    <>
      <SelectSetting
        label="Number"
        value={of}
        choices={numbers.map(({ name, label }) => ({ value: name, label }))}
        onChange={(name) => name && save({ of: name })}
      />
      {bands.map((band, i) => (
        <fieldset className="constructor-band" key={i} aria-label={`Band ${i + 1}`}>
          <Limit
            label={`Band ${i + 1} from`}
            value={band.min}
            onChange={(min) => change(i, withLimits(band, min, band.max), true)}
          />
          <span aria-hidden>to</span>
          <Limit
            label={`Band ${i + 1} to`}
            value={band.max}
            onChange={(max) => change(i, withLimits(band, band.min, max), true)}
          />
          <ThenSetting
            label={`Value of band ${i + 1}`}
            quiet
            field={field}
            then={band.then}
            messages={messagesAt(errors, address, `attrs.choose.${i}`)}
            onChange={(then, typing) =>
              change(
                i,
                { ...withLimits({}, band.min, band.max), ...(then !== undefined && { then }) },
                typing,
              )
            }
          />
          {bands.length > 1 && (
            <Button
              size="small"
              variant="minimal"
              icon="trash"
              aria-label={`Remove band ${i + 1}`}
              onClick={() => {
                announce(`Band ${i + 1} removed`)
                save({ bands: bands.toSpliced(i, 1) })
              }}
            />
          )}
        </fieldset>
      ))}
      {bands.length < FORM_LIMITS.values - 1 && (
        <Button
          size="small"
          icon="plus"
          variant="minimal"
          text="Add a band"
          onClick={() => save({ bands: [...bands, nextBand(bands)] })}
        />
      )}
      <ThenSetting
        label="Otherwise, also while the number is not known"
        field={field}
        then={otherwise}
        onChange={(then, typing) => save({ otherwise: then }, typing)}
      />
      <TypedBands {...{ field, all, set }} />
    </>
  )
}

interface LimitProps {
  label: string
  value: number | undefined
  onChange: (limit: number | undefined) => void
}

function Limit({ label, value, onChange }: LimitProps): ReactElement {
  return (
    <InputGroup
      type="number"
      aria-label={label}
      placeholder="any"
      value={String(value ?? '')}
      onValueChange={(text) => onChange(text === '' ? undefined : Number(text))}
    />
  )
}

/** The band with other limits; one without any limit begins at 0, because a condition needs one. */
function withLimits({ then }: Band, min: number | undefined, max: number | undefined): Band {
  const isOpen = min === undefined && max === undefined
  return {
    ...((min !== undefined || isOpen) && { min: min ?? 0 }),
    ...(max !== undefined && { max }),
    ...(then !== undefined && { then }),
  }
}

function nextBand(bands: Band[]): Band {
  const last = bands.at(-1)?.max
  return { min: last === undefined ? 0 : last + 1 }
}

/** A box for lines such as "0–4 None", which replace the bands; a choice that the field lacks is added to it. */
function TypedBands({ field, all, set }: { field: Field; all: BandsOfNumber; set: SetAttrs }): ReactElement {
  const { announce } = useEditorContext()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const apply = () => {
    const { bands, unread } = readBands(text)
    if (unread.length > 0 || bands.length === 0)
      return setProblem(
        unread.length > 0 ? `Write ${quotedAll(unread)} like 0–4 None` : 'Write a band a line, like 0–4 None',
      )
    if (bands.length > FORM_LIMITS.values - 1)
      return setProblem(`There may be ${FORM_LIMITS.values - 1} bands`)
    setProblem('')
    setText('')
    const options = withChoices(
      field,
      bands.map(({ words }) => words),
    )
    const named = { ...field, attrs: { ...field.attrs, ...(options && { options }) } }
    const next = bands.map(({ words, ...limits }) => ({ ...limits, then: thenOf(named, words) }))
    set({ ...(options && { options }), choose: rowsOfBands({ ...all, bands: next }) }, { what: 'Bands' })
    announce(`${next.length} bands: ${bands.map((band) => describeLimits(band)).join(', ')}`)
  }
  return (
    <Disclosure summary="Type the bands">
      <TextSetting
        label="Bands, one a line"
        hint="Such as 0–4 None, 5–9 Mild, 20+ Severe, each on its own line"
        long
        own
        value={text}
        messages={problem ? [problem] : []}
        onChange={setText}
      />
      <Button text="Replace the bands" onClick={apply} />
    </Disclosure>
  )
}

/** The choices of a field with those of some labels that it lacks; undefined for a field without own choices. */
function withChoices(field: Field, labels: string[]): Option[] | undefined {
  const options = field.attrs?.options
  if (kindOf(field) !== 'choice' || !options) return undefined
  const all = [...options]
  for (const label of labels) {
    if (all.some((one) => isSame(one.label, label))) continue
    all.push({ value: newFieldName(label, new Set(all.map((one) => String(one.value)))), label })
  }
  return all
}

function thenOf(field: Field, words: string): Argument {
  if (kindOf(field) === 'number') return Number.isFinite(Number(words)) ? Number(words) : ''
  const chosen = offeredOptions(field).find(({ label }) => isSame(label, words))?.value
  if (kindOf(field) === 'choice' && chosen === undefined) return ''
  return typeof chosen === 'number' ? chosen : { text: chosen ?? words }
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}
