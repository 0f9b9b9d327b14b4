import fs from 'node:fs'
import path from 'node:path'
import { roleIds } from '../../contract/access.ts'
import { callOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Endpoint } from '../../contract/generated.ts'
import type { Problem } from '../../contract/locate.ts'

/** Calls of the specification, and all others; tests compare the roles in both lists with those of the descriptors. */
const SPECIFIED = 'tests/fixtures/calls.tsv'
const OWN = 'tests/fixtures/own-calls.tsv'

/**
 * Reports calls that neither list has, with the line to add, and lines of calls that no longer exist. The lines are not
 * generated: who opens a call to another role has to say so twice.
 */
export function ownCallProblems(root: string, { endpoints, roles }: Contract): Problem[] {
  if (!fs.existsSync(path.join(root, OWN))) return []
  const [specified, own] = [SPECIFIED, OWN].map((file) =>
    fs.readFileSync(path.join(root, file), 'utf8').split('\n'),
  )
  const known = new Set([...specified, ...own].map(callOfLine))
  const calls = new Set(Object.values(endpoints).map(({ call }) => shapeOf(call)))
  const problem = (line: number, message: string) => ({ file: OWN, line, column: 1, message })
  const gone = own.flatMap((line, i) =>
    isCall(line) && !calls.has(callOfLine(line))
      ? [problem(i + 1, 'there is no such call: delete this line')]
      : [],
  )
  const missing = Object.entries(endpoints).filter(([, { call }]) => !known.has(shapeOf(call)))
  const added = missing.map(([name, endpoint]) => {
    const line = lineOf(name, endpoint, roles)
    const next = own.findIndex((other) => isCall(other) && other > line)
    return problem(next < 0 ? own.length : next + 1, `insert the roles of ${name}:\n${line}`)
  })
  return [...gone, ...added]
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
  return shapeOf(`${method} ${path}`)
}

/** A call without the names of its parameters. */
function shapeOf(call: string): string {
  return call.replaceAll(/\{\w+\}/g, '{}')
}
