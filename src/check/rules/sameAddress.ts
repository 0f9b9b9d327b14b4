import { callOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'

/** A path, or a method and path, without the names of its parameters. */
export const shapeOfPath = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')

/** Error of a call whose method and path another one, a lookup or a screen has. */
export function callAddressProblem(contract: Contract, name: string): string | undefined {
  const { endpoints, lookups, screens } = contract
  const { call } = endpoints[name]
  const shape = shapeOfPath(call)
  const names = Object.keys(endpoints)
  const same = names
    .slice(0, names.indexOf(name))
    .find((other) => shapeOfPath(endpoints[other].call) === shape)
  if (same) return `'${call}' is already the call of ${same}`
  const { method, path } = callOf(endpoints[name])
  if (method !== 'GET') return undefined
  const lookup = Object.keys(lookups).find((other) => shapeOfPath(lookups[other].path) === shapeOfPath(path))
  if (lookup) return `'${path}' is already the path of the lookup ${lookup}`
  const screen = screenAt(screens, path)
  return screen && `'${path}' is the address of screens/${screen}.json${otherAddress(path)}`
}

/** Error of a lookup whose path another lookup or a screen has. */
export function lookupPathProblem({ lookups, screens }: Contract, name: string): string | undefined {
  const { path } = lookups[name]
  const names = Object.keys(lookups)
  const same = names.slice(0, names.indexOf(name)).find((other) => lookups[other].path === path)
  if (same) return `'${path}' is already the path of the lookup ${same}`
  const screen = screenAt(screens, path)
  return screen && `'${path}' is the address of screens/${screen}.json${otherAddress(path)}`
}

/** Error of a screen whose route another one has; names of parameters make no difference. */
export function routeProblem({ screens }: Contract, name: string): string | undefined {
  const { route } = screens[name]
  const same = Object.keys(screens).find(
    (other) => other < name && shapeOfPath(screens[other].route) === shapeOfPath(route),
  )
  return same && `'${route}' is already the address of screens/${same}.json`
}

function screenAt(screens: Contract['screens'], path: string): string | undefined {
  return Object.keys(screens).find((name) => overlap(screens[name].route, path))
}

/** True if an address could match both paths. */
function overlap(one: string, other: string): boolean {
  const [parts, others] = [one, other].map((path) => path.split('/'))
  const takes = (part: string, text: string) => part === text || (part.startsWith('{') && text !== '')
  return (
    parts.length === others.length &&
    parts.every((part, i) => takes(part, others[i]) || takes(others[i], part))
  )
}

/** Calls and screens may differ by a slash at the end: a browser that navigates gets the page in either case. */
function otherAddress(path: string): string {
  return `; write '${path}/', or another path`
}
