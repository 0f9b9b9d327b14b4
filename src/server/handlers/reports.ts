import { sql } from 'kysely'
import { STATUS } from '../../contract/status.ts'
import type { Handler } from '../call.ts'
import { conditionsOf } from '../query.ts'
import { today } from '../today.ts'
import { pageOf } from '../verbs/list.ts'

/** Cases closed or untouched for OLD_CASE_DAYS. */
export const oldCases: Handler = async (call) => {
  const entity = call.contract.entities.caseRow
  const { OLD_CASE_DAYS, TIME_ZONE } = call.settings
  const old = sql`r.old_since <= ${today(TIME_ZONE)}::date - ${OLD_CASE_DAYS}::int`
  return pageOf(call, entity, [old, sql`r.status = ${sql.lit(STATUS.active)}`, ...conditionsOf(call)])
}
