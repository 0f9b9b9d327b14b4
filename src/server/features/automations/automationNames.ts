import { sql } from 'kysely'
import type { AutomationNames } from '../../../contract/automations/checkAutomations.ts'
import type { Call } from '../../core/call.ts'

/** What automations may refer to here: entities, lookups, roles and groups of people. */
export async function automationNames({ db, contract }: Call): Promise<AutomationNames> {
  const { rows } = await sql<{ code: string }>`select attrs ->> 'code' as code from lookup
    where kind = 'staff_groups' and active and attrs ? 'code'`.execute(db)
  return {
    entities: contract.entities,
    lookups: contract.lookups,
    roles: contract.roles.roles.map(({ name }) => name),
    groups: rows.map(({ code }) => code),
  }
}
