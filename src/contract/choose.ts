import type { Argument } from './formula.ts'
import type { ChooseRow, FieldAttrs } from './generated.ts'
import { fieldOfPath } from './seen.ts'
import {
  type ConditionContext,
  holds,
  isElsewhere,
  isPlainObject,
  isRowsTest,
  pathsOf,
  type Test,
  type When,
} from './when.ts'

/** The first row of a 'choose' whose condition holds; a row without a condition holds always. */
export function chosenRow(rows: ChooseRow[], conditionContext: ConditionContext): ChooseRow | undefined {
  return rows.find(({ when }) => holds(when, conditionContext))
}

/** What the rows of a 'choose' depend on: their values, and what their conditions look at. */
export function sourcesOfChoose(rows: ChooseRow[]): Argument[] {
  return rows.flatMap(({ when, then }) => [
    ...(then === undefined ? [] : [then]),
    ...sourcesOfCondition(when),
  ])
}

/** What a condition inside a calculation looks at: names of fields, and 'repeat.column' for tests of rows. */
function sourcesOfCondition(when: When | undefined): string[] {
  const ofRows = new Set(Object.entries(when ?? {}).flatMap(rowTestsIn))
  return pathsOf(when).flatMap((path) => {
    if (isElsewhere(path)) return []
    const head = fieldOfPath(path)
    return ofRows.has(head) ? [path] : [head]
  })
}

function rowTestsIn([path, test]: [string, unknown]): string[] {
  if (path === 'any') return (test as When[]).flatMap((one) => Object.entries(one).flatMap(rowTestsIn))
  return isRowsTest(test as Test) ? [path] : []
}

/** What 'count_rows' depends on: the rows, their columns in the condition, and what these are compared with. */
export function sourcesOfCount({ of = [], rows_when }: FieldAttrs): Argument[] {
  const [repeat] = of
  if (typeof repeat !== 'string' || !rows_when) return of
  return [repeat, ...sourcesOfCondition({ [repeat]: { any_row: rows_when } })]
}

/** One band of a number: from `min` to `max`, both included; an omitted one is open. */
export interface Band {
  min?: number
  max?: number
  then?: Argument
}

/** Bands of one number and the value outside of them. */
export interface Bands {
  /** Name of the field with the number. */
  of: string
  bands: Band[]
  otherwise?: Argument
}

/** The rows of a 'choose' as bands, if all of them are limits of one number; undefined otherwise. */
export function bandsOf(rows: ChooseRow[]): Bands | undefined {
  const last = rows.at(-1)
  const limited = rows.slice(0, -1)
  const [of] = Object.keys(limited[0]?.when ?? {})
  if (!of || of === 'any' || !last || last.when) return undefined
  const bands = limited.map(({ when, then }) => {
    const limits = limitsOf(when, of)
    return limits && { ...limits, ...(then !== undefined && { then }) }
  })
  if (!bands.every((band) => band !== undefined)) return undefined
  return { of, bands, ...(last.then !== undefined && { otherwise: last.then }) }
}

function limitsOf(when: When | undefined, of: string): Pick<Band, 'min' | 'max'> | undefined {
  const entries = Object.entries(when ?? {})
  if (entries.length !== 1 || entries[0][0] !== of) return undefined
  const test = entries[0][1] as Test
  if (typeof test === 'number') return { min: test, max: test }
  if (!isPlainObject(test)) return undefined
  const { min, max, ...others } = test as Record<string, unknown>
  const isLimit = (limit: unknown) => limit === undefined || typeof limit === 'number'
  if (Object.keys(others).length > 0 || !isLimit(min) || !isLimit(max)) return undefined
  if (min === undefined && max === undefined) return undefined
  return {
    ...(min !== undefined && { min: min as number }),
    ...(max !== undefined && { max: max as number }),
  }
}

export function rowsOfBands({ of, bands, otherwise }: Bands): ChooseRow[] {
  const rows = bands.map(({ min, max, then }) => ({
    when: { [of]: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) } },
    ...(then !== undefined && { then }),
  }))
  return [...rows, otherwise === undefined ? {} : { then: otherwise }]
}

/** A line of typed bands: its limits and the words after them. */
export interface TypedBand {
  min?: number
  max?: number
  words: string
}

const RANGE = /^(-?\d+(?:\.\d+)?)\s*(?:[-–—]|to)\s*(-?\d+(?:\.\d+)?)\s*[:=]?\s+(.+)$/i
const OPEN = /^(-?\d+(?:\.\d+)?)\s*(?:\+|and (?:over|more|above)|or more)\s*[:=]?\s+(.+)$/i
const UNDER = /^(?:up to|to|≤)\s*(-?\d+(?:\.\d+)?)\s*[:=]?\s+(.+)$/i
const ONE = /^(-?\d+(?:\.\d+)?)\s*[:=]?\s+(.+)$/

/** Reads bands as people write them, one a line: "0–4 None", "5 to 9: Mild", "20+ Severe"; lines it cannot read are `unread`. */
export function readBands(text: string): { bands: TypedBand[]; unread: string[] } {
  const bands: TypedBand[] = []
  const unread: string[] = []
  for (const line of text.split(/[\n;]/).map((one) => one.trim())) {
    if (line === '') continue
    const band = readBand(line)
    if (band && (band.min ?? -Infinity) <= (band.max ?? Infinity)) bands.push(band)
    else unread.push(line)
  }
  return { bands, unread }
}

function readBand(line: string): TypedBand | undefined {
  const range = RANGE.exec(line)
  if (range) return { min: Number(range[1]), max: Number(range[2]), words: range[3] }
  const open = OPEN.exec(line)
  if (open) return { min: Number(open[1]), words: open[2] }
  const under = UNDER.exec(line)
  if (under) return { max: Number(under[1]), words: under[2] }
  const one = ONE.exec(line)
  return one ? { min: Number(one[1]), max: Number(one[1]), words: one[2] } : undefined
}
