import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { allows, roleIds } from '../../src/contract/access.ts'
import { callOf, verbOf } from '../../src/contract/call.ts'
import { contract } from '../loadedContract.ts'
import { describeServer } from './context.ts'

const PEOPLE = [
  'admin',
  'manager',
  'hub',
  'advocate',
  'commissioner',
  'volunteer',
  'hubmanager',
  'partner',
  'partnermanager',
]
const NOWHERE = { id: 2147483646, app: 'core', type: 'nowhere' }
const EVERYBODY = [1, 2, 3, 4, 5, 6, 7, 8, 9]

const context = describeServer()

describe('every endpoint × every role', () => {
  const endpoints = Object.entries(contract.endpoints).filter(([name]) => name !== 'auth.logout')

  it.each(endpoints)('%s', async (name, endpoint) => {
    const signedOut = await (await context.as())(name, { params: NOWHERE, body: bodyFor(name) })
    if (endpoint.roles === 'public') expect(signedOut.body).not.toMatchObject({ code: 'unauthenticated' })
    else expect([signedOut.status, signedOut.body.code]).toEqual([401, 'unauthenticated'])
    if (endpoint.roles === 'public') return
    for (const [i, username] of PEOPLE.entries()) {
      const person = await context.as(username)
      const { status } = await person(name, { params: NOWHERE, body: bodyFor(name) })
      const may = allows(contract.roles, endpoint.roles, [i + 1])
      expect([username, status === 403], `${username} got ${status}`).toEqual([username, !may])
      expect(status, `${username} got ${status}`).toBeLessThan(500)
    }
  })

  it('answers lookups to everybody signed in, and to nobody else', async () => {
    for (const lookup of Object.values(contract.lookups)) {
      expect((await (await context.as()).raw(lookup.path)).status).toBe(401)
      const { status, body } = await (await context.as('commissioner')).raw(lookup.path)
      expect([lookup.path, status, Array.isArray(body)]).toEqual([lookup.path, 200, true])
    }
  })
})

describe('the lists of calls and their roles', () => {
  const rows = readFileSync('tests/fixtures/calls.tsv', 'utf8')
    .split('\n')
    .filter((line) => /^\w+\t(GET|POST|PUT|PATCH|DELETE)/.test(line))
  const table = rows.map((line) => {
    const [, method, path, , , roles] = line.split('\t')
    return { call: `${method} ${path}`, roles }
  })
  const ours = new Map(Object.values(contract.endpoints).map((e) => [normal(e.call), e]))

  it.each(table.filter(({ call }) => ours.has(normal(call))))('$call is for $roles', ({ call, roles }) => {
    const endpoint = ours.get(normal(call))!
    const ids = endpoint.roles === 'public' ? 'PUBLIC' : roleIds(contract.roles, endpoint.roles).sort()
    const listed = roles.split(',').map(Number)
    expect(ids).toEqual(roles === 'PUBLIC' ? 'PUBLIC' : roles === 'ANY' ? EVERYBODY : listed)
  })

  const own = readFileSync('tests/fixtures/own-calls.tsv', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, method, path, roles] = line.split('\t')
      return { call: `${method} ${path}`, roles }
    })

  it.each(own)('$call, which is ours, is for $roles', ({ call, roles }) => {
    const endpoint = ours.get(normal(call))!
    const ids = endpoint.roles === 'public' ? 'PUBLIC' : roleIds(contract.roles, endpoint.roles).sort()
    expect(ids).toEqual(
      roles === 'PUBLIC' ? 'PUBLIC' : roles === 'ANY' ? EVERYBODY : roles.split(',').map(Number),
    )
  })

  it('name every call there is', () => {
    const listed = new Set([...table, ...own].map(({ call }) => normal(call)))
    expect([...ours.keys()].filter((call) => !listed.has(call))).toEqual([])
  })

  it('serves every lookup call', () => {
    const paths = new Set([
      ...Object.values(contract.lookups).map((l) => l.path),
      ...Object.values(contract.endpoints).map((e) => callOf(e).path),
    ])
    const missing = rows
      .filter((r) => r.startsWith('lookup'))
      .map((r) => r.split('\t')[2])
      .filter((path) => !paths.has(path))
    expect(missing).toEqual([])
  })
})

function normal(call: string): string {
  return call.replaceAll(/\{\w+\}/g, '{}')
}

function bodyFor(name: string): object | undefined {
  const endpoint = contract.endpoints[name]
  return callOf(endpoint).method === 'GET' || verbOf(endpoint)?.verb === 'remove' ? undefined : {}
}
