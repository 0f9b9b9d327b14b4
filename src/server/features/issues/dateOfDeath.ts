import { sql } from 'kysely'
import { allows } from '../../../contract/access.ts'
import type { Client, Issue } from '../../../contract/types/entities.ts'
import { isSet } from '../../../contract/when.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem, type Problem } from '../../core/problems.ts'
import { update } from '../../records/verbs/update.ts'

/**
 * Values of the closing reasons that say that the client has died: those that are marked so, and 'Client died', which
 * lists from before the mark have without it, unless it is marked that it does not.
 */
export async function reasonsOfDeath({ db }: Call): Promise<number[]> {
  const { rows } = await sql<{ value: number }>`select value from lookup
    where kind = 'icr'
      and coalesce((attrs ->> 'died')::boolean, lower(label) = 'client died') order by value`.execute(db)
  return rows.map(({ value }) => value)
}

/** The client's date of death, and whether the caller may change the client. */
export async function deathOf(
  { db, me, contract }: Call,
  client: Issue['client'],
): Promise<{ dod: string | null; mayWrite: boolean }> {
  const { rows } = await sql<
    Pick<Client, 'dod'> & { seen: boolean }
  >`select c.dod, ${visibleTo('client', me, 'c')} as seen
    from clients c where c.id = ${client}`.execute(db)
  const mayUpdate = allows(contract.roles, contract.endpoints['clients.update'].roles, me.groups)
  return { dod: rows[0].dod, mayWrite: mayUpdate && rows[0].seen }
}

export async function storeDeath(call: Call, issue: Issue, date: string | null | undefined): Promise<void> {
  if (!isSet(date)) return
  const { dod, mayWrite } = await deathOf(call, issue.client)
  if (dod === date) return
  if (!mayWrite)
    throw fieldProblem({ date_of_death: ['You may not change this client’s record: tell somebody who may'] })
  const body = { dod: date }
  await update({ ...call, params: { id: issue.client! }, body }, call.contract.entities.client).catch(
    (error: Problem) => {
      const { dod: messages } = (error.body ?? {}) as { dod?: string[] }
      throw messages ? fieldProblem({ date_of_death: messages }) : error
    },
  )
}
