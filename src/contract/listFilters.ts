import { parametersOf } from './call.ts'
import type { Contract } from './contract.ts'
import { isRealDay } from './days.ts'
import type { ListScreen, Parameter } from './generated.ts'
import { relativeDay } from './relativeDay.ts'

export type FilterKind = 'text' | 'date' | 'choice' | 'flag' | 'answers'

/** Most characters of a filter's value; a filter by answers contains several conditions. */
export const MAX_TEXT_LENGTH = 4000
/** Filter value that stands for the id of the signed-in person. */
export const ME = 'me'
/** Filter value that matches rows without a value. */
export const NONE = 'none'
/** Label for the missing value of a row. */
export const NOT_SAID = 'Not said'

/**
 * The parameters that a list offers as filters, by name: its `filters`, or all parameters of its call that have a
 * title.
 */
export function filterParameters(
  contract: Pick<Contract, 'query' | 'endpoints'>,
  { source, filters }: Pick<ListScreen, 'source' | 'filters'>,
): Record<string, Parameter> {
  const known = parametersOf(contract, contract.endpoints[source])
  const names = filters ?? Object.keys(known).filter((name) => known[name].title)
  return Object.fromEntries(names.map((name) => [name, known[name]]))
}

export function kindOf({ type, match, lookup, options }: Parameter): FilterKind {
  if (match === 'answers') return match
  if (type === 'boolean') return 'flag'
  if (lookup || options) return 'choice'
  return type === 'date' ? 'date' : 'text'
}

const IS_VALID: Record<Parameter['type'], (text: string) => boolean> = {
  string: (text) => text.trim() !== '' && text.length <= MAX_TEXT_LENGTH,
  integer: (text) => /^-?\d{1,9}$/.test(text),
  boolean: (text) => text === 'true',
  date: isRealDay,
}

/** True if a text from the address, once resolved, is a valid value of this filter. */
export function isValidFilterValue(filter: Parameter, text: string): boolean {
  const offered = filter.type === 'boolean' || !filter.options
  const isOne = (one: string) =>
    (one === NONE && filter.match === 'is') ||
    (IS_VALID[filter.type](one) && (offered || filter.options!.some((o) => String(o.value) === one)))
  return valuesOf(filter, text).every(isOne)
}

/** The values of a filter; a choice can have several, separated by commas, which match if any of them does. */
export function valuesOf(filter: Parameter, text: string): string[] {
  return kindOf(filter) === 'choice' ? text.split(',') : [text]
}

/**
 * Resolves a filter value for today and the signed-in person: '-7d' to a day, 'me' to their id; others are unchanged.
 */
export function resolveFilter(filter: Parameter, text: string, today: string, me: number): string {
  if (filter.type === 'date') return relativeDay(text, today) ?? text
  return text === ME && acceptsMe(filter) ? String(me) : text
}

/** True if 'me' can be a value of this filter. */
export function acceptsMe({ person, type }: Parameter): boolean {
  return person === true && type === 'integer'
}
