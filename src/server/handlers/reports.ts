import { sql } from 'kysely'
import type { Handler } from '../call.ts'
import { conditionsOf } from '../query.ts'
import { scoped } from '../scope.ts'
import { pageOf } from '../verbs/list.ts'

/** Cases closed or untouched for OLD_CASE_DAYS. */
export const oldCases: Handler = async (call) => {
  const entity = call.contract.entities.caseRow
  const old = sql`r.old_since <= current_date - ${call.settings.OLD_CASE_DAYS}::int`
  return pageOf(call, entity, [scoped(entity, call.me), old, sql`r.status = 1`, ...conditionsOf(call)])
}
