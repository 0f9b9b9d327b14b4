import { sql } from 'kysely'
import type { Contract } from '../../../contract/contract.ts'
import type { Db } from '../../core/db.ts'
import { automatedTypes } from './automatedTypes.ts'
import { fireEvents } from './fireEvents.ts'
import { itemLabels } from './itemLabels.ts'
import { loadCases } from './loadCases.ts'
import { reportFailures } from './reportFailures.ts'
import { type StateChanges, stateChanges } from './stateChanges.ts'
import { storeStates } from './storeStates.ts'

/** A case to evaluate; `fires` is false if its states are stored without anything else happening. */
export interface CaseToEvaluate {
  id: number
  fires: boolean
}
interface Context {
  db: Db
  contract: Contract
  /** YYYY-MM-DD where the service works. */
  today: string
  /** Who saved; null for a job. */
  by: number | null
}

/**
 * Evaluates the automations of cases and their issues in the transaction of `db`: stores the states that hold now, and
 * lets happen what follows from those that begin. The cases must be locked, so that what others have changed is seen.
 */
export async function evaluateCases(
  { db, contract, today, by }: Context,
  cases: CaseToEvaluate[],
): Promise<void> {
  const ids = cases.map(({ id }) => id)
  const [loaded, groupId] = await Promise.all([loadCases(db, ids), groupIds(db)])
  const types = await automatedTypes(
    db,
    loaded.map(({ type, version }) => ({ id: type, version })),
  )
  const labels = await itemLabels({ db, contract }, loaded, types)
  const names = {
    itemLabel: labels,
    groupId,
    roleId: (name: string) => contract.roles.roles.find((role) => role.name === name)?.id,
  }
  const quiet = new Set(cases.filter(({ fires }) => !fires).map(({ id }) => id))
  const all: StateChanges = { added: [], changed: [], ended: [], failed: [] }
  for (const one of loaded) {
    const type = types.get(one.type)
    if (!type) continue
    const { added, changed, ended, failed } = stateChanges(one, type, names)
    all.added.push(...added)
    all.changed.push(...changed)
    all.ended.push(...ended)
    all.failed.push(...failed)
  }
  const begun = await storeStates(db, all, by)
  await fireEvents(
    { db, by, today },
    begun.filter(({ caseId }) => !quiet.has(caseId)),
  )
  await reportFailures(db, all.failed)
}

/** The ids of the groups of people by their codes. */
async function groupIds(db: Db) {
  const { rows } = await sql<{
    code: string
    id: number
  }>`select attrs ->> 'code' as code, value as id from lookup
    where kind = 'staff_groups' and attrs ? 'code'`.execute(db)
  const ids = new Map(rows.map(({ code, id }) => [code, id]))
  return (code: string) => ids.get(code)
}
