import type { Call } from '../call.ts'
import { singlePage } from '../verbs/singlePage.ts'
import { describeDevice } from './describeDevice.ts'
import { sessionsOf, tokenOf } from './session.ts'

/** Where a person is signed in. All on one page: nobody has more than one can look through. */
export async function sessionPage({ db, request, settings }: Call, staff: number) {
  const rows = await sessionsOf(db, staff, tokenOf(request.headers.authorization) ?? '', settings)
  return singlePage(rows.map(({ user_agent, ...one }) => ({ ...one, device: describeDevice(user_agent) })))
}
