import { callOf, isAddressOf, parametersOf, partsOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Crumb, Parameter, Screen } from '../../contract/generated.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Path, Report } from '../files/report.ts'
import { idProblem, queryIdProblem } from './idKinds.ts'
import { parameterProblem } from './parameters.ts'
import { checkPlaceholders, type Filling } from './placeholders.ts'

/** Query parameters that every list screen reads from its address. */
const OF_LISTS = ['page', 'size', 'sort']

/** Address that redirects to the dashboard of the signed-in person. */
const LANDING = '/dashboard'

/**
 * Reports an address without a screen, placeholders that nothing fills, and query parameters that its screen does not
 * read.
 */
export function checkLink(
  contract: Contract,
  link: string | undefined,
  filling: Filling,
  at: Path,
  report: Report,
): void {
  if (link === undefined) return
  checkPlaceholders(link, filling, at, report)
  // A lone placeholder is replaced by a whole address.
  if (/^\{\w+\}$/.test(link)) return
  const [address, query] = link.split('#')[0].split('?')
  const wrongId = partsOf(address)
    .map((part) => idProblem(contract, address, part, part, filling.records ?? []))
    .find((one) => one !== undefined)
  const problem = addressProblem(contract, address) ?? wrongId
  if (problem) report(at, problem)
  const [screen] = screensAt(contract, address)
  if (!screen || query === undefined) return
  const known = parametersOfScreen(contract, screen)
  const filters = filtersOfScreen(contract, screen)
  for (const [name, value] of new URLSearchParams(query)) {
    if (!known.includes(name)) report(at, `'${screen.route}' has no filter '${name}'${suggest(name, known)}`)
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined
    const [, field] = value.match(/^\{(\w+)\}$/) ?? []
    if (!field && value.includes('{'))
      report(at, `'${name}=${value}' mixes a placeholder with other text: write one or the other`)
    const wrong = field
      ? queryIdProblem(contract, name, filter, field, filling.records ?? [])
      : filter && !value.includes('{') && parameterProblem(contract, name, filter, value)
    if (wrong) report(at, wrong)
  }
}

/** Error of an internal address; undefined if it is that of a screen or of a call of the server. */
export function addressProblem(contract: Contract, address: string): string | undefined {
  const mixed = address.split('/').find((part) => part.includes('{') && !/^\{\w+\}$/.test(part))
  if (mixed)
    return `'${mixed}' is a part of an address that mixes a placeholder with other text: write one or the other`
  if (address === LANDING || screensAt(contract, address).length > 0) return undefined
  const calls = Object.values(contract.endpoints).map((one) => callOf(one).path)
  if (calls.some((path) => isAddressOf(path, address))) return undefined
  const routes = Object.values(contract.screens).map(({ route }) => route)
  return `there is nothing at '${address}'${suggest(address, routes)}`
}

/** Screens whose route matches an address, an exact match first. */
function screensAt({ screens }: Contract, address: string): Screen[] {
  const parts = ({ route }: Screen) => partsOf(route).length
  return Object.values(screens)
    .filter(({ route }) => isAddressOf(route, address))
    .sort((a, b) => parts(a) - parts(b))
}

function parametersOfScreen(contract: Contract, screen: Screen): string[] {
  if (screen.kind === 'list' || screen.kind === 'report')
    return [...Object.keys(parametersOf(contract, contract.endpoints[screen.source])), ...OF_LISTS]
  if (screen.kind === 'search') {
    const tabs = screen.tabs.flatMap((name) => contract.screens[name] ?? [])
    return [screen.param, ...tabs.flatMap((tab) => parametersOfScreen(contract, tab))]
  }
  if (screen.kind === 'paper') return [screen.choose.param]
  // A wizard takes the id of the record that it is about.
  const existing =
    screen.kind === 'wizard' ? screen.steps.flatMap(({ existing, at }) => (existing && at) || []) : []
  const read = [...JSON.stringify(screen).matchAll(/"query\.(\w+)/g)].map(([, name]) => name)
  return [...new Set([...read, ...existing])]
}

/** The filters of a list, by the parameters of its address; none where tabs could have different ones. */
function filtersOfScreen(contract: Contract, screen: Screen): Record<string, Parameter> {
  if (screen.kind !== 'list' && screen.kind !== 'report') return {}
  return parametersOf(contract, contract.endpoints[screen.source])
}

/** Names of the path parameters of a screen's route, and of its fixed parameters. */
export function paramsOf(screen: { route: string; fixedParams?: Record<string, string> }): string[] {
  return [...partsOf(screen.route), ...Object.keys(screen.fixedParams ?? {})]
}

/** Reports placeholders and links in the title and breadcrumbs that the address and the record do not fill. */
export function checkTitle(
  contract: Contract,
  { title, parent = [] }: { title: string; parent?: Crumb[] },
  filling: Filling,
  report: Report,
): void {
  checkPlaceholders(title, filling, ['title'], report)
  for (const [i, { label, to }] of parent.entries()) {
    checkPlaceholders(label, filling, ['parent', i, 'label'], report)
    checkLink(contract, to, filling, ['parent', i, 'to'], report)
  }
}
