import { parametersOf, verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { factsOf } from '../../contract/facts.ts'
import type { Candidates, ListScreen, ReportScreen } from '../../contract/generated.ts'
import { reportAsList } from '../../contract/reportScreen.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Path, Report } from '../files/report.ts'
import { checkActions } from './actions.ts'
import { checkLink, checkTitle, paramsOf } from './addresses.ts'
import { checkCall } from './calls.ts'
import { checkColumns } from './cells.ts'
import { checkFilters } from './defaults.ts'
import { checkAmount, checkField, type Shape, shapeOfCall } from './fields.ts'
import { parameterProblem } from './parameters.ts'
import { ANYTHING } from './paths.ts'
import { checkPlaceholders } from './placeholders.ts'
import { checkReplyKeys } from './replies.ts'

/** Reports names in a list screen that the contract does not have. */
export function checkList(contract: Contract, screen: ListScreen, report: Report): void {
  const { source, read, columns, reorder } = screen
  const roles = screen.roles ?? 'staff'
  const params = paramsOf(screen)
  const needed = { filling: { params }, mayBeFixed: true }
  // With `more`, columns can be fields that are known only at run time.
  const row = screen.more ? ANYTHING : shapeOfCall(contract, source)
  const about = shapeOfCall(contract, read)
  const isPaged = screen.pages !== false && screen.rowsKey === undefined
  const isExported = screen.export !== false
  const need = { kind: 'list', ...needed, roles, isPaged, isExported } as const
  checkCall(contract, source, need, ['source'], report)
  checkCall(contract, read, { kind: 'read', ...needed, roles }, ['read'], report)
  checkCall(contract, reorder, { kind: 'change', ...needed }, ['reorder'], report)
  for (const part of ['preview', 'apply'] as const)
    checkCall(contract, screen.import?.[part], { kind: 'change', ...needed }, ['import', part], report)
  const known = Object.keys(parametersOf(contract, contract.endpoints[source]))
  const more = { fields: shapeOfCall(contract, source), linkParams: known }
  checkColumns(contract, columns, { params, record: row }, ['columns'], report, more)
  if (screen.group && screen.layout !== 'timeline' && !known.includes('order_by'))
    report(['group'], `${source} does not sort: it has no 'sorted' among its query groups`)
  if (screen.group) checkField(row, screen.group, ['group'], report)
  if (screen.struck) checkField(row, screen.struck, ['struck'], report)
  if (screen.struck && screen.layout !== 'timeline')
    report(['struck'], "only entries of the layout 'timeline' are struck through")
  for (const [i, field] of (screen.figure?.values ?? []).entries())
    checkAmount(row, field, ['figure', 'values', i], report)
  if (screen.figure) checkField(row, screen.figure.of, ['figure', 'of'], report)
  for (const [i, column] of columns.entries()) {
    if (typeof column === 'string' || !column.sort) continue
    if (!known.includes('order_by'))
      report(['columns', i, 'sort'], `${source} does not sort: it has no 'sorted' among its query groups`)
    if (row?.fields?.[column.field]?.computed)
      report(['columns', i, 'sort'], `${column.field} is computed for its reader: no list sorts by it`)
  }
  for (const [i, filter] of (screen.filters ?? []).entries()) {
    if (!known.includes(filter))
      report(['filters', i], `no filter '${filter}' in ${source}${suggest(filter, known)}`)
  }
  checkQuickFilters(contract, screen, row, report)
  checkReplyKeys(contract, screen, report)
  checkFilters(contract, source, screen.defaults, ['defaults'], report)
  checkTitle(contract, screen, { params, records: [about] }, report)
  checkActions(contract, screen.actions, { params, record: row }, ['actions'], report)
  checkSelection(contract, screen, row, report)
  checkNeeds(contract, screen, report)
  checkOpens(contract, screen, row, report)
  checkActions(contract, screen.toolbar, { params, record: about }, ['toolbar'], report)
}

/** Checks that rows are grouped by a field with options, and that quick filters use parameters of the call. */
function checkQuickFilters(
  contract: Contract,
  { source, groupBy, group, chips = [] }: ListScreen,
  row: Shape | undefined,
  report: Report,
): void {
  if (groupBy) {
    checkField(row, groupBy, ['groupBy'], report)
    if (row?.fields?.[groupBy] && !row.fields[groupBy].options)
      report(['groupBy'], `'${groupBy}' has no options that could head its rows`)
    if (group) report(['groupBy'], "rows are headed once: by 'group' or by 'groupBy'")
  }
  for (const [i, { filter }] of chips.entries())
    checkFilters(contract, source, filter, ['chips', i, 'filter'], report)
}

/** Fields that each line of `needs` is rendered from. */
const NEED = ['kind', 'level', 'name', 'page', 'text', 'button', 'to']

/** Checks that the rows of the call of `needs` have the fields that are rendered. */
function checkNeeds(contract: Contract, { needs, roles = 'staff' }: ListScreen, report: Report): void {
  if (!needs) return
  const at = ['needs', 'list']
  checkCall(contract, needs.list, { kind: 'list', filling: { params: [] }, roles }, at, report)
  const line = shapeOfCall(contract, needs.list)
  for (const field of NEED) checkField(line, field, at, report)
}

/** Checks the list that a row opens below itself, which is called with values of the row. */
function checkOpens(
  contract: Contract,
  { opens, roles = 'staff', layout }: ListScreen,
  row: Shape | undefined,
  report: Report,
): void {
  if (!opens) return
  const at = (...path: Path) => ['opens', ...path]
  if (layout) report(at(), `rows open in a table only, not in a ${layout}`)
  checkField(row, 'id', at(), report)
  const filling = { params: Object.keys(opens.params) }
  checkCall(contract, opens.list, { kind: 'list', filling, roles, isPaged: true }, at('list'), report)
  for (const [name, field] of Object.entries(opens.params)) checkField(row, field, at('params', name), report)
  checkFilters(contract, opens.list, opens.query, at('query'), report)
  const below = shapeOfCall(contract, opens.list)
  checkColumns(contract, opens.columns, { params: [], record: below }, at('columns'), report)
  const ofRow = { records: [row] }
  checkPlaceholders(opens.label, ofRow, at('label'), report)
  for (const [i, { label, to }] of (opens.links ?? []).entries()) {
    checkPlaceholders(label, ofRow, at('links', i, 'label'), report)
    checkLink(contract, to, ofRow, at('links', i, 'to'), report)
  }
}

/** Checks the selection of rows, which needs a table and ids; an action for several rows has these as {ids}. */
function checkSelection(
  contract: Contract,
  screen: ListScreen,
  row: Shape | undefined,
  report: Report,
): void {
  const { selection, layout, columns, candidates } = screen
  const [first] = columns
  if (typeof first !== 'string' && first.shown === false)
    report(['columns', 0, 'shown'], 'rows are known by the first column, which is always shown')
  if (!selection) return
  if (layout) report(['selection'], `rows can be ticked in a table only, not in a ${layout}`)
  checkField(row, 'id', ['selection'], report)
  const record = row?.fields && { ...row, fields: { ...row.fields, ...SELECTION } }
  if (screen.selected?.of) checkField(row, screen.selected.of.field, ['selected', 'of', 'field'], report)
  checkActions(contract, selection, { params: paramsOf(screen), record }, ['selection'], report)
  if (candidates) checkCandidates(contract, screen, candidates, report)
}

/** What texts and values of actions for selected rows can name besides the common values of these. */
const SELECTION = { ids: { title: 'IDs' }, selected: { title: 'Selected rows' } }

/** Checks candidates, which are read for the {ids} of the selected rows and of which one is chosen for these. */
function checkCandidates(
  contract: Contract,
  screen: ListScreen,
  { source, params, search, filters = [], label, about = [], columns, choose }: Candidates,
  report: Report,
): void {
  const at = (...path: Path) => ['candidates', ...path]
  const ids = { fields: { ids: { title: 'IDs' } } }
  const parameters = parametersOf(contract, contract.endpoints[source])
  const known = Object.keys(parameters)
  for (const [i, name] of filters.entries())
    if (parameters[name]?.type !== 'boolean')
      report(at('filters', i), `'${name}' is not a yes-or-no parameter of ${source}${suggest(name, known)}`)
  const named = [
    ...Object.keys(params).map((name) => ['params', name]),
    ...(search ? [['search', search]] : []),
  ]
  for (const [key, name] of named) {
    const path = key === 'params' ? at(key, name) : at(key)
    if (!known.includes(name)) report(path, `${source} has no parameter '${name}'${suggest(name, known)}`)
  }
  for (const [name, value] of Object.entries(params)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    const problem = parameter && !value.includes('{') && parameterProblem(contract, name, parameter, value)
    if (problem) report(at('params', name), problem)
    checkPlaceholders(
      value,
      { params: paramsOf(screen), records: [{ name: 'selection', ...ids }] },
      at('params', name),
      report,
    )
  }
  const candidate = shapeOfCall(contract, source)
  checkCall(
    contract,
    source,
    { kind: 'list', filling: { params: paramsOf(screen) }, roles: screen.roles ?? 'staff' },
    at('source'),
    report,
  )
  checkColumns(contract, columns, { params: [], record: candidate }, at('columns'), report)
  checkPlaceholders(label, { params: [], records: [candidate] }, at('label'), report)
  for (const [i, field] of about.entries()) checkField(candidate, field, at('about', i), report)
  const record = candidate?.fields && { ...candidate, fields: { ...candidate.fields, ...SELECTION } }
  const reportChoose: Report = ([, , ...path], message) => report(at('choose', ...path), message)
  checkActions(contract, [choose], { params: paramsOf(screen), record }, at('choose'), reportChoose)
}

/** `checkList` for a report, which is a list of figures. */
export function checkReport(contract: Contract, screen: ReportScreen, report: Report): void {
  const { source, by, measures, rows } = screen
  const facts = factsOf(contract, source)
  const row = shapeOfCall(contract, source)
  if (!facts) {
    report(['source'], `${source} gives no figures: it does '${contract.endpoints[source]?.does}'`)
    return
  }
  const known = parametersOf(contract, contract.endpoints[source])
  const options = (known.by?.options ?? []).map(({ value }) => String(value))
  for (const [i, name] of by.entries())
    if (!options.includes(name))
      report(['by', i], `${source} has no dimension '${name}'${suggest(name, options)}`)
  if (by.length > 1 && !known.and) report(['by', 1], `${source} gives figures by one dimension only`)
  const numbers = Object.keys(facts.measures)
  for (const [i, name] of measures.entries())
    if (!numbers.includes(name))
      report(['measures', i], `${source} has no measure '${name}'${suggest(name, numbers)}`)
  checkList(contract, reportAsList(contract, screen), (path, message) => {
    // The columns are derived, so they have no place in the report's file.
    if (path[0] !== 'columns') report(path, message)
  })
  const list = rows === undefined ? undefined : contract.screens[rows]
  if (!list) return
  const behind = list.kind === 'list' && verbOf(contract.endpoints[list.source])
  if (!behind || behind.entity !== verbOf(contract.endpoints[source])?.entity)
    report(['rows'], `'${rows}' does not list the rows that ${source} counts`)
  else checkField(row, 'by_value', ['rows'], report)
}
