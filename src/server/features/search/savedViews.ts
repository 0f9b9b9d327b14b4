import { sql } from 'kysely'
import { listsFor, savedViewErrors } from '../../../contract/savedView.ts'
import type { SavedView } from '../../../contract/types/entities.ts'
import type { Call, Handler } from '../../core/call.ts'
import { problem, refuse } from '../../core/problems.ts'
import { conditionsOf } from '../../records/query/query.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { create as createRecord } from '../../records/verbs/create.ts'
import { pageOf } from '../../records/verbs/list.ts'
import { lockRow } from '../../records/verbs/lockRow.ts'
import { fetch } from '../../records/verbs/read.ts'
import { remove as removeRecord } from '../../records/verbs/remove.ts'
import { update as updateRecord } from '../../records/verbs/update.ts'

/** Maximum number of saved views of one person: of one list, and in all. */
const MAX_VIEWS_PER_LIST = 30
const MAX_VIEWS = 100

/** The caller's saved views and those shared with them, of the lists that they may open. */
export const list: Handler = (call) => {
  const lists = Object.keys(listsFor(call.contract, call.me.groups))
  const isOpen = sql`r.screen = any(${lists}::text[])`
  return pageOf(call, call.contract.entities.savedView, [isOpen, ...conditionsOf(call)])
}

export const create: Handler = async (call) => {
  await validateBody(call, call.contract.entities.savedView, call.body)
  refuse(savedViewErrors(call.contract, call.me.groups, call.body))
  await refuseTooMany(call)
  return createRecord(call, call.contract.entities.savedView)
}

/** Refuses a view beyond the maximum; the lock on the person makes concurrent saves count one after the other. */
async function refuseTooMany({ db, me, body }: Call): Promise<void> {
  await sql`select from staff where id = ${me.id} for no key update`.execute(db)
  const { rows } = await sql<{ all: number; here: number }>`select count(*) as all,
    count(*) filter (where screen = ${body.screen}) as here from saved_views where staff = ${me.id}`.execute(
    db,
  )
  const [{ all, here }] = rows
  if (here >= MAX_VIEWS_PER_LIST)
    refuse({
      name: [`You have ${MAX_VIEWS_PER_LIST} views of this list, which is the maximum: delete one first`],
    })
  if (all >= MAX_VIEWS)
    refuse({ name: [`You have ${MAX_VIEWS} views, which is the maximum: delete one first`] })
}

export const update: Handler = async (call) => {
  const view = await ownView(call)
  refuse(savedViewErrors(call.contract, call.me.groups, { ...view, ...call.body }))
  return updateRecord(call, call.contract.entities.savedView)
}

export const remove: Handler = async (call) => {
  await ownView(call)
  return removeRecord(call, call.contract.entities.savedView)
}

/** Locks and returns the view of the path; throws if it only is shared with the caller. */
async function ownView(call: Call): Promise<SavedView> {
  const { savedView } = call.contract.entities
  await lockRow(call, savedView)
  const view = await fetch(call, savedView, call.params.id)
  if (view.staff !== call.me.id) throw problem('notOwner')
  return view
}
