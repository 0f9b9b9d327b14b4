import fs from 'node:fs'
import path from 'node:path'
import { roleIds } from '../../contract/access.ts'
import { callOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Endpoint } from '../../contract/generated.ts'
import type { Problem } from '../../contract/locate.ts'
import { shapeOfPath } from './sameAddress.ts'

/** Calls of the specification, and all others; tests compare the roles in both lists with those of the descriptors. */
const SPECIFIED = 'tests/fixtures/calls.tsv'
const OWN = 'tests/fixtures/own-calls.tsv'

/**
 * Reports calls that neither list has, with the line to add, lines of calls that no longer exist, and lines with other
 * roles than the call. The lines are not generated: who opens a call to another role has to say so twice.
 */
export function ownCallProblems(root: string, { endpoints, roles }: Contract): Problem[] {
  if (!fs.existsSync(path.join(root, OWN))) return []
  const [specified, own] = [SPECIFIED, OWN].map((file) =>
    fs.readFileSync(path.join(root, file), 'utf8').split('\n'),
  )
  const known = new Set([...specified, ...own].map(callOfLine))
  const calls = new Set(Object.values(endpoints).map(({ call }) => shapeOfPath(call)))
  const problem = (line: number, message: string) => ({ file: OWN, line, column: 1, message })
  const gone = own.flatMap((line, i) =>
    isCall(line) && !calls.has(callOfLine(line))
      ? [problem(i + 1, 'there is no such call: delete this line')]
      : [],
  )
  const missing = Object.entries(endpoints).filter(([, { call }]) => !known.has(shapeOfPath(call)))
  const added = missing.map(([name, endpoint]) => {
    const line = lineOf(name, endpoint, roles)
    const next = own.findIndex((other) => isCall(other) && other > line)
    return problem(next < 0 ? own.length : next + 1, `insert the roles of ${name}:\n${line}`)
  })
  const different = [
    ...differentRoles(SPECIFIED, specified, endpoints, roles),
    ...differentRoles(OWN, own, endpoints, roles),
  ]
  return [...gone, ...added, ...different]
}

/** Lines of a list whose roles are not those of the call, with the roles to write. */
function differentRoles(
  file: string,
  lines: string[],
  endpoints: Contract['endpoints'],
  roles: Contract['roles'],
): Problem[] {
  const calls = new Map(
    Object.entries(endpoints).map(([name, one]) => [shapeOfPath(one.call), { name, one }]),
  )
  const at = columnOfRoles(file)
  return lines.flatMap((line, i) => {
    const call = isCall(line) ? calls.get(callOfLine(line)) : undefined
    const cells = line.split('\t')
    if (!call || sorted(cells[at]) === rolesOf(call.one, roles)) return []
    const message = `${call.name} is for ${rolesOf(call.one, roles)} and not for ${cells[at]}: write '${rolesOf(call.one, roles)}' here, or change 'roles' of ${call.name}`
    return [{ file, line: i + 1, column: cells.slice(0, at).join('\t').length + 2, message }]
  })
}

/** The list of the specification has the query and the body of a call before its roles. */
const columnOfRoles = (file: string) => (file === SPECIFIED ? 5 : 3)

function sorted(roles: string): string {
  return /^[\d,]+$/.test(roles)
    ? roles
        .split(',')
        .map(Number)
        .sort((a, b) => a - b)
        .join()
    : roles
}

/** Area, method, path and roles, between tabs. */
function lineOf(name: string, endpoint: Endpoint, roles: Contract['roles']): string {
  const { method, path } = callOf(endpoint)
  return [name.split('.')[0], method, path, rolesOf(endpoint, roles)].join('\t')
}

function rolesOf({ roles: access }: Endpoint, roles: Contract['roles']): string {
  if (access === 'public') return 'PUBLIC'
  const ids = roleIds(roles, access).sort((a, b) => a - b)
  return ids.length === roles.roles.length ? 'ANY' : ids.join()
}

const isCall = (line: string) => line !== '' && !line.startsWith('#')

function callOfLine(line: string): string {
  const [, method, path] = line.split('\t')
  return shapeOfPath(`${method} ${path}`)
}
