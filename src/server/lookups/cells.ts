import type { Field } from '../../contract/generated.ts'
import { isSet } from '../../contract/when.ts'

/** A value read from a cell, or what is wrong with the cell in words. */
export type ParsedCell = { value: unknown } | { wrong: string }
/** Values of choices by their label in small letters. */
export type Choices = Map<string, number | string>

type CellParser = (text: string, field: Field, choices: Choices) => ParsedCell

const WORDS: Record<string, string> = {
  yes: 'yes',
  true: 'yes',
  no: 'no',
  false: 'no',
  'not known': 'not_known',
  not_known: 'not_known',
}

const PARSERS: Partial<Record<Field['type'], CellParser>> = {
  integer: (text, { label }) =>
    /^-?\d{1,9}$/.test(text) ? { value: Number(text) } : { wrong: `${label} must be a whole number` },
  yesno: (text, { label }) => {
    const value = WORDS[text.toLowerCase()]
    return value ? { value } : { wrong: `${label} must be Yes or No` }
  },
  select: (text, { label }, choices) => {
    const value = oneOf(text, choices)
    return value === undefined ? { wrong: `${label}: there is no choice '${text}'` } : { value }
  },
  multiselect: (text, { label }, choices) => {
    const { values, rest } = manyOf(text, choices)
    return rest ? { wrong: `${label}: there is no choice '${rest}'` } : { value: values }
  },
  file: (_, { label }) => ({ wrong: `${label} is uploaded in its form` }),
}

/** Reads a cell as the value of a field; an empty one is null. */
export function parseCell(cell: unknown, field: Field, choices: Choices): ParsedCell {
  // An export writes ' before what Excel would take for a formula.
  const text = String(isSet(cell) ? cell : '')
    .trim()
    .replace(/^'(?=[=+\-@])/, '')
  if (text === '') return { value: field.type === 'multiselect' ? [] : null }
  return PARSERS[field.type]?.(text, field, choices) ?? { value: text }
}

function oneOf(text: string, choices: Choices): number | string | undefined {
  const byLabel = choices.get(text.toLowerCase())
  if (byLabel !== undefined) return byLabel
  return [...choices.values()].find((value) => String(value) === text)
}

/** Choices with commas or semicolons between them; a label may have commas itself, so the longest that fits is taken. */
function manyOf(text: string, choices: Choices): { values: unknown[]; rest: string } {
  const values: unknown[] = []
  let rest = text.trim()
  while (rest) {
    const ends = [...rest.matchAll(/[,;]|$/g)].map(({ index }) => index).reverse()
    const end = ends.find((at) => oneOf(rest.slice(0, at).trim(), choices) !== undefined)
    if (end === undefined) return { values, rest }
    values.push(oneOf(rest.slice(0, end).trim(), choices))
    rest = rest.slice(end + 1).trim()
  }
  return { values: [...new Set(values)], rest }
}
