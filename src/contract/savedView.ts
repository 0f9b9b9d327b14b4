import { allows } from './access.ts'
import { readAnswers } from './answerFilter.ts'
import type { Contract } from './contract.ts'
import type { ListScreen, Parameter } from './generated.ts'
import { filterParameters, isValidFilterValue, kindOf, ME, resolveFilter } from './listFilters.ts'
import { reportAsList } from './reportScreen.ts'
import { suggest } from './suggest.ts'
import type { FieldErrors } from './validateAnswers.ts'
import { isPlainObject, isSet } from './when.ts'

/** Key of the sort order in a view's query and in a list's address: field or -field. */
const SORT = 'sort'
const ANY_DAY = '2026-01-31'
const ANYBODY = 1
const FIELD = /^[a-z][a-z0-9_]{0,62}$/

/** Roles that share a view with everybody who may open its list. */
export const SHARE_WITH_ALL = 'overseers'

/** A saved view as it was sent, not yet validated. */
interface SavedViewContent {
  screen?: unknown
  query?: unknown
  columns?: unknown
  shared?: unknown
}

/** The lists and reports that people of these roles may open, by the name of their screen. */
export function listsFor(contract: Contract, groups: number[]): Record<string, ListScreen> {
  const open = Object.entries(contract.screens).filter(([, { roles }]) =>
    allows(contract.roles, roles, groups),
  )
  const lists = open.flatMap(([name, screen]): [string, ListScreen][] => {
    if (screen.kind === 'report') return [[name, reportAsList(contract, screen)]]
    return screen.kind === 'list' ? [[name, screen]] : []
  })
  return Object.fromEntries(lists)
}

/** Validates a saved view: access of these roles to its list, its filters, order, columns and sharing. */
export function savedViewErrors(contract: Contract, groups: number[], view: SavedViewContent): FieldErrors {
  const lists = listsFor(contract, groups)
  const name = String(view.screen ?? '')
  if (!Object.hasOwn(lists, name))
    return { screen: [`List must be one that you may open, not '${cut(name)}'`] }
  const list = lists[name]
  const errors: FieldErrors = {}
  const add = (field: string, words: string[]) => {
    if (words.length > 0) errors[field] = words
  }
  add('query', queryErrors(contract, list, view.query ?? {}))
  add('columns', columnErrors(list, view.columns))
  if (view.shared === 'all' && !allows(contract.roles, SHARE_WITH_ALL, groups))
    add('shared', ['Only administrators and managers can share a view with everybody'])
  if (Object.keys(errors).length === 0 && isSet(view.shared)) {
    const titles = unshareable(filterParameters(contract, list), (view.query ?? {}) as Record<string, string>)
    add(
      'shared',
      titles.map((title) => `A view filtered by ${title} cannot be shared: it says something of one person`),
    )
  }
  return errors
}

/** Titles of the active filters that prevent sharing a view: free texts, and persons other than 'me'. */
export function unshareable(
  filters: Record<string, Parameter>,
  query: Record<string, string | undefined>,
): string[] {
  return Object.entries(filters)
    .filter(([name, filter]) => query[name] && query[name] !== ME && isPersonal(filter, query[name]))
    .map(([name, { title }]) => title ?? name)
}

function isPersonal(filter: Parameter, text: string): boolean {
  const answers = kindOf(filter) === 'answers' ? readAnswers(text) : undefined
  // A filter by answers is personal only if it contains a typed text: choices and days match many people.
  if (answers) return typeof answers === 'string' || answers.some(({ operator }) => operator === 'contains')
  return filter.person === true || (filter.type === 'string' && kindOf(filter) === 'text')
}

function queryErrors(contract: Contract, list: ListScreen, query: unknown): string[] {
  if (!isPlainObject(query)) return ['Filters and order must be texts by name']
  const filters = filterParameters(contract, list)
  return Object.entries(query).flatMap(([name, text]) => {
    if (typeof text !== 'string') return `'${cut(name)}' must be a text`
    if (name === SORT) return sortErrors(list, text)
    if (!Object.hasOwn(filters, name))
      return `${list.title} has no filter '${cut(name)}'${suggest(name, Object.keys(filters))}`
    const filter = filters[name]
    const answers = kindOf(filter) === 'answers' ? readAnswers(text) : []
    if (typeof answers === 'string') return `${filter.title ?? name} ${answers}`
    return isValidFilterValue(filter, resolveFilter(filter, text, ANY_DAY, ANYBODY))
      ? []
      : `${filter.title ?? name} cannot be '${cut(text)}'`
  })
}

function sortErrors(list: ListScreen, text: string): string[] {
  const field = text.replace(/^-/, '')
  const sortable = list.columns.flatMap((column) =>
    typeof column !== 'string' && column.sort ? column.field : [],
  )
  const isKnown = list.more ? FIELD.test(field) : sortable.includes(field)
  return isKnown ? [] : [`${list.title} cannot be sorted by '${cut(field)}'${suggest(field, sortable)}`]
}

/** Validates columns: they must be columns of the list, each once, with the first one of the list in front. */
function columnErrors(list: ListScreen, columns: unknown): string[] {
  if (!isSet(columns)) return []
  if (typeof columns !== 'string') return ['Columns must be fields with commas between']
  const known = list.columns.map((column) => (typeof column === 'string' ? column : column.field))
  const names = columns.split(',')
  // Further columns of a list are known only from its reply.
  const unknown = names.filter((name) => !known.includes(name) && !(list.more && FIELD.test(name)))
  if (unknown.length > 0)
    return unknown.map((name) => `${list.title} has no column '${cut(name)}'${suggest(name, known)}`)
  if (new Set(names).size < names.length) return ['Columns must name each column once']
  return names[0] === known[0] ? [] : [`The first column must be '${known[0]}', by which rows are known`]
}

/** Truncates a long text for messages. */
function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
