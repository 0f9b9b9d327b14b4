import { note } from '../audit.ts'
import type { Handler } from '../call.ts'
import { deviceWords } from '../deviceWords.ts'
import { problem } from '../problems.ts'
import { endSessionOf, endSessionsOf, sessionsOf, tokenOf } from '../session.ts'

/** Where the caller is signed in. All on one page: nobody has more than they can look through. */
export const mine: Handler = async ({ db, me, request, settings }) => {
  const rows = await sessionsOf(db, me.id, tokenOf(request.headers.authorization) ?? '', settings)
  const data = rows.map(({ user_agent, ...one }) => ({ ...one, device: deviceWords(user_agent) }))
  const count = data.length
  return { data, pagination: { p: 1, page_size: Math.max(10, count), count, more: false, num_pages: 1 } }
}

export const end: Handler = async (call) => {
  const { db, me, params, reply } = call
  if (!(await endSessionOf(db, me.id, Number(params.id)))) throw problem('notFound')
  await note(call, { action: 'end session', entity: 'staff', record: me.id })
  reply.code(204)
}

export const endOthers: Handler = async (call) => {
  const { db, me, request } = call
  const ended = await endSessionsOf(db, me.id, tokenOf(request.headers.authorization))
  if (ended > 0) await note(call, { action: 'end sessions', entity: 'staff', record: me.id })
  return { ended }
}
