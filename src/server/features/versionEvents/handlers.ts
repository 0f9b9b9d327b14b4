import { PassThrough } from 'node:stream'
import { openStream } from '../../access/quotas.ts'
import { isLive, tokenOf } from '../../access/session.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { VersionEvent } from '../../core/versionEvents.ts'

/** Heartbeat in ms: keeps proxies from closing the stream, and bounds how long it outlives its session. */
const HEARTBEAT_MS = 5000

/** The versions of everything that open pages are rendered from, including the page's own release. */
export const read: Handler = async ({ versionEvents, request }) => [
  releaseOf(request),
  ...(await versionEvents.current()),
]

/** The same as server-sent events: at once and after every publication, until the session ends. */
export const stream: Handler = async ({ versionEvents, db, me, settings, request, reply }) => {
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    // Without it a proxy could buffer the events.
    'x-accel-buffering': 'no',
  })
  // Its answer would never end.
  if (request.method === 'HEAD') return ''
  const { ending } = request.server
  const closeStream = openStream(me.id)
  const release = releaseOf(request)
  const token = tokenOf(request.headers.authorization)!
  const out = new PassThrough()
  const emit = (events: VersionEvent[]) =>
    out.write(`event: published\ndata: ${JSON.stringify([release, ...events])}\n\n`)
  const unsubscribe = versionEvents.subscribe(emit)
  const checkSession = async () => {
    const isOver = await isLive(db, token, settings).then(
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
    ending.removeEventListener('abort', end)
  })
  return out
}

function releaseOf({ server }: Call['request']): VersionEvent {
  return { entity: 'page', id: 0, version: server.pageRelease() }
}
