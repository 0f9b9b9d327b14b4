import type { Call } from '../core/call.ts'
import { singlePage } from '../core/singlePage.ts'
import { describeDevice } from './describeDevice.ts'
import { sessionsOf, tokenOf } from './session.ts'

/** A person's sessions, all on one page, because nobody has many. */
export async function sessionPage(call: Call, staff: number) {
  const rows = await sessionsOf(call, staff, tokenOf(call.request.headers.authorization) ?? '')
  return singlePage(rows.map(({ user_agent, ...one }) => ({ ...one, device: describeDevice(user_agent) })))
}
