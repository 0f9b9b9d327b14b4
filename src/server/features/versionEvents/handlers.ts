import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import { openStream } from '../../access/quotas.ts'
import { isLive, tokenOf } from '../../access/session.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import type { VersionEvent } from '../../core/versionEvents.ts'

/** Heartbeat in ms: keeps proxies from closing the stream, and bounds how long it outlives its session. */
const HEARTBEAT_MS = 5000

/** The versions of everything that open pages are rendered from, including the page's own release. */
export const read: Handler = async ({ versionEvents, db, me, request }) => [
  releaseOf(request),
  ...(await versionEvents.current()),
  await noticesOf(db, me.id),
]

/** The same as server-sent events: at once, after every publication and notice of work, until the session ends. */
export const stream: Handler = async (call) => {
  const { versionEvents, db, me, request, reply } = call
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    // Without it a proxy could buffer the events.
    'x-accel-buffering': 'no',
  })
  // Its answer would never end.
  if (request.method === 'HEAD') return ''
  let notices = await noticesOf(db, me.id)
  const { ending } = request.server
  const closeStream = openStream(me.id)
  const release = releaseOf(request)
  const token = tokenOf(request.headers.authorization)!
  const out = new PassThrough()
  const emit = (events: VersionEvent[]) =>
    out.write(`event: published\ndata: ${JSON.stringify([release, ...events, notices])}\n\n`)
  const unsubscribe = versionEvents.subscribe(emit)
  const unsubscribeFromNotices = versionEvents.subscribeToNotices((staff = me.id) => {
    if (staff !== me.id) return
    // If the database does not answer, the number is sent with the next notice.
    void noticesOf(db, me.id).then(
      (current) => {
        if (current.version === notices.version || out.writableEnded) return
        notices = current
        emit([])
      },
      () => undefined,
    )
  })
  const checkSession = async () => {
    const isOver = await isLive(call, token).then(
      (live) => !live,
      () => false,
    )
    if (out.writableEnded) return
    if (isOver) out.end()
    else out.write(': still here\n\n')
  }
  const heartbeat = setInterval(checkSession, HEARTBEAT_MS)
  const unsubscribeFromSessionEnd = versionEvents.subscribeToSessionEnd(
    (staff = me.id) => staff === me.id && void checkSession(),
  )
  const end = () => void out.end()
  ending.addEventListener('abort', end)
  out.on('close', () => {
    clearInterval(heartbeat)
    closeStream()
    unsubscribe()
    unsubscribeFromSessionEnd()
    unsubscribeFromNotices()
    ending.removeEventListener('abort', end)
  })
  return out
}

/** A number for a person's notices of work that differs after each change of them. */
async function noticesOf(db: Db, staff: number): Promise<VersionEvent> {
  const { rows } = await sql<{ version: number }>`select
      ((coalesce(sum(version), 0) + coalesce(max(id), 0)) % 2147483647)::int as version
    from work_notices where staff = ${staff}`.execute(db)
  return { entity: 'workNotice', id: 0, version: rows[0].version }
}

function releaseOf({ server }: Call['request']): VersionEvent {
  return { entity: 'page', id: 0, version: server.pageRelease() }
}
