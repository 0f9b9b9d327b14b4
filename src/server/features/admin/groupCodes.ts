import { sql } from 'kysely'
import { GROUP_PREFIX } from '../../../contract/automations/outcomes.ts'
import { quoted, quotedAll } from '../../../contract/quoted.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import type { ListItem } from './items.ts'

/**
 * Refuses a name that another group of people has, because automations find a group by its name. Also refuses to rename
 * a group that published automations notify: they would no longer find it, and nobody would notice.
 */
export async function refuseGroupCode(
  { db }: Call,
  kind: string,
  { before, item }: { before?: ListItem; item: ListItem },
): Promise<void> {
  const { id, code = null } = item
  const former = before?.code ?? null
  if (kind !== 'staff_groups' || former === code) return
  const { rows: others } = await sql<{ label: string }>`select label from lookup
    where kind = ${kind} and value <> ${id} and attrs ->> 'code' = ${code} limit 1`.execute(db)
  if (others[0]) throw fieldProblem({ code: [`The group ${quoted(others[0].label)} has this name`] })
  const { rows: types } = await sql<{
    label: string
  }>`select label from case_types where version > 0 and exists (
      select from jsonb_array_elements(automations) a, jsonb_array_elements(a -> 'then') o
      where o -> 'notify' ? ${`${GROUP_PREFIX}${former}`}) order by label`.execute(db)
  if (former === null || types.length === 0) return
  const named = quotedAll(types.map(({ label }) => label))
  const message = `Automations notify the group by this name in ${named}; leave it, or let them notify another group first`
  throw fieldProblem({ code: [message] })
}
