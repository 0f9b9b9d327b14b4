import { expect, test } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { welcome } from '../../src/server/ops/start/welcome.ts'
import { contract } from '../loadedContract.ts'

test('the sign-ins stand in the order of the roles', () => {
  const started = { contract, address: 'http://127.0.0.1:3000', demo: true, data: '.data' }
  const lines = welcome(started, readSettings({})).split('\n')
  const first = lines.indexOf('Sign in as one of:') + 1
  const labels = lines.slice(first, first + 9).map((line) => line.trim().split(/ {2,}/).at(-1))
  const roles = Object.fromEntries(contract.roles.roles.map(({ id, label }) => [id, label]))
  expect(labels).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => roles[id]))
})
