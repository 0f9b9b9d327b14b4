import { parametersOf } from './call.ts'
import type { Contract } from './contract.ts'
import type { ListScreen, Parameter } from './generated.ts'
import { relativeDay } from './relativeDay.ts'

export type FilterKind = 'text' | 'date' | 'choice' | 'flag' | 'answers'

/** Characters of the longest text that a list is filtered by; one by answers holds several conditions. */
export const LONGEST_TEXT = 4000
/** Stands for the id of whoever looks. */
export const ME = 'me'
/** The value of a filter that finds rows without one. */
export const NONE = 'none'
/** What people read where a row has no value. */
export const NOT_SAID = 'Not said'

/** The parameters that a list offers as filters, by name: those it names, or all of its call that have a title. */
export function filterParameters(
  contract: Pick<Contract, 'query' | 'endpoints'>,
  { source, filters }: Pick<ListScreen, 'source' | 'filters'>,
): Record<string, Parameter> {
  const known = parametersOf(contract, contract.endpoints[source])
  const names = filters ?? Object.keys(known).filter((name) => known[name].title)
  return Object.fromEntries(names.map((name) => [name, known[name]]))
}

/** Which control offers a filter. */
export function kindOf({ type, match, lookup, options }: Parameter): FilterKind {
  if (match === 'answers') return match
  if (type === 'boolean') return 'flag'
  if (lookup || options) return 'choice'
  return type === 'date' ? 'date' : 'text'
}

const GOOD: Record<Parameter['type'], (text: string) => boolean> = {
  string: (text) => text.trim() !== '' && text.length <= LONGEST_TEXT,
  integer: (text) => /^-?\d{1,9}$/.test(text),
  boolean: (text) => text === 'true',
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text),
}

/** Whether a text from the address can be a value of this filter, once it is resolved. */
export function isGood(filter: Parameter, text: string): boolean {
  const offered = filter.type === 'boolean' || !filter.options
  const isOne = (one: string) =>
    (one === NONE && filter.match === 'is') ||
    (GOOD[filter.type](one) && (offered || filter.options!.some((o) => String(o.value) === one)))
  return valuesOf(filter, text).every(isOne)
}

/** Several values of a choice stand between commas, and mean any of them. */
export function valuesOf(filter: Parameter, text: string): string[] {
  return kindOf(filter) === 'choice' ? text.split(',') : [text]
}

/** The value that a text means today for whoever looks: the day of '-7d', the id of 'me'; others mean themselves. */
export function resolveFilter(filter: Parameter, text: string, today: string, me: number): string {
  if (filter.type === 'date') return relativeDay(text, today) ?? text
  return text === ME && knowsMe(filter) ? String(me) : text
}

/** Whether 'me' can be a value of this filter. */
export function knowsMe({ person, type }: Parameter): boolean {
  return person === true && type === 'integer'
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
