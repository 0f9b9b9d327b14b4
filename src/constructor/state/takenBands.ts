import { readBands, type TypedBand } from '../../contract/choose.ts'
import { choiceKey } from '../../contract/compareKey.ts'
import { offeredOptions, takesSeveralChoices } from '../../contract/fieldTypes.ts'
import type { Field, TakenValue } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { quotedAll } from '../../contract/quoted.ts'
import type { Draft } from './caseType.ts'
import { change } from './edit.ts'

/** The bands of lines such as "0–4 None" with the choices that they name, or what is wrong with them. */
export function readTakenBands(text: string, is: Field): { bands?: TakenValue[]; problem?: string } {
  const choices = offeredOptions(is)
  const choiceOf = ({ words }: TypedBand) =>
    choices.find(({ label }) => choiceKey(label) === choiceKey(words))?.value
  const { bands, unread } = readBands(text)
  if (unread.length > 0) return { problem: `Write ${quotedAll(unread)} like 0–4 ${choices[0]?.label}` }
  const unknown = bands.filter((band) => choiceOf(band) === undefined)
  if (unknown.length > 0)
    return { problem: `'${is.label}' has no choice ${quotedAll(unknown.map(({ words }) => words))}` }
  const taken = bands.map(({ words, ...limits }) => {
    const value = choiceOf({ words })!
    return { ...limits, is: takesSeveralChoices(is) ? ([value] as string[] | number[]) : value }
  })
  return { bands: taken }
}

/** The bands of a table as lines that can be read again. */
export function linesOfBands(values: TakenValue[], is: Field): string {
  const labelOf = (value: TakenValue['is']) =>
    offeredOptions(is).find((one) => one.value === [value].flat()[0])?.label
  return values
    .filter(({ was, is: value }) => was === undefined && labelOf(value) !== undefined)
    .map((band) => `${limitsOf(band)} ${labelOf(band.is)}`)
    .join('\n')
}

function limitsOf({ min, max }: TakenValue): string {
  if (min === undefined) return `up to ${max}`
  if (max === undefined) return `${min}+`
  return min === max ? String(min) : `${min}–${max}`
}

/** Sets which choice the numbers of each band become, in place of the bands before; single values come before them. */
export function setTakenBands(draft: Draft, meta: MetaName, name: string, bands: TakenValue[]): Draft {
  const group = draft[meta].find(({ fields }) => fields.some((field) => field.name === name))
  if (!group) return draft
  const groups = change<Field>(draft[meta], [group.name, name], (field) => {
    const { from, values = [] } = field.attrs!.takes!
    const next = [...values.filter(({ was }) => was !== undefined), ...bands]
    return { ...field, attrs: { ...field.attrs, takes: { from, ...(next.length > 0 && { values: next }) } } }
  })
  return { ...draft, [meta]: groups }
}
