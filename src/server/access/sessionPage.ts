import type { Call } from '../core/call.ts'
import { singlePage } from '../core/singlePage.ts'
import { describeDevice } from './describeDevice.ts'
import { sessionsOf, tokenOf } from './session.ts'

/** A person's sessions, all on one page, because nobody has many. */
export async function sessionPage({ db, request, settings }: Call, staff: number) {
  const rows = await sessionsOf(db, staff, tokenOf(request.headers.authorization) ?? '', settings)
  return singlePage(rows.map(({ user_agent, ...one }) => ({ ...one, device: describeDevice(user_agent) })))
}
