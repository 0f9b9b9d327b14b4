import { describe, expect, it } from 'vitest'
import { StartProblem } from '../../src/server/core/startProblem.ts'
import { withPurgeRoles } from '../../src/server/ops/start/purgeRoles.ts'
import { contract } from '../loadedContract.ts'
import { describeServer } from './context.ts'

const PURGES = ['cases.purge', 'clients.purge', 'issues.purge']

const context = describeServer({ PURGE_ROLES: 'SystemAdministrator, AdvocateManager' })

describe('PURGE_ROLES', () => {
  it.each([
    ['admin', 404],
    ['manager', 404],
    ['hubmanager', 403],
    ['advocate', 403],
    ['commissioner', 403],
  ])('says whether %s may purge (%i)', async (username, status) => {
    const who = await context.as(username)
    for (const name of PURGES) expect((await who(name, { params: { id: 99 } })).status).toBe(status)
  })

  it('is part of the contract that the browser gets', async () => {
    const page = await (await context.as()).raw('/', { headers: { accept: 'text/html' } })
    const address = page.body.match(/name="contract" content="([^"]+)"/)?.[1]
    const { body } = await (await context.as()).raw(address ?? `/contract-x.json`)
    for (const name of PURGES)
      expect(body.endpoints[name].roles).toEqual(['SystemAdministrator', 'AdvocateManager'])
  })

  it('that is empty changes nothing', () => {
    expect(withPurgeRoles(contract, { PURGE_ROLES: '' })).toBe(contract)
  })

  it('that names a role there is not is refused with the one that is likely meant', () => {
    const start = () => withPurgeRoles(contract, { PURGE_ROLES: 'SystemAdministrator,Advocat' })
    expect(start).toThrow(StartProblem)
    expect(start).toThrow("PURGE_ROLES: there is no role 'Advocat'; did you mean 'Advocate'?")
  })
})
