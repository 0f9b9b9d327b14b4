import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, watch } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

export type DevEvent = 'hello' | 'reload' | 'css' | 'screen' | 'fail'

// A page that hears another one after a lost connection loads itself again.
const boot = randomUUID()
// One save is several events; in milliseconds.
const SETTLED = 40

const pages = new Set<ServerResponse>()
let failure: unknown = null

const line = (event: DevEvent, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data ?? null)}\n\n`

/** Sends an event to every open page. A `fail` stays on the pages, also on new ones, until one with null follows. */
export function tell(event: DevEvent, data?: unknown): void {
  if (event === 'fail') failure = data ?? null
  for (const page of pages) page.write(line(event, data))
}

/** Adds GET /__dev, the stream of events that pages in development listen to; does nothing unless DEV is 1. */
export function registerDev(app: FastifyInstance): void {
  if (process.env.DEV !== '1') return
  app.get('/__dev', (request, reply) => {
    reply.hijack()
    const page = reply.raw
    page.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    page.write(`retry: 100\n${line('hello', boot)}${failure === null ? '' : line('fail', failure)}`)
    pages.add(page)
    request.raw.once('close', () => pages.delete(page))
  })
  app.addHook('preClose', async () => {
    for (const page of pages) page.end()
  })
  process.on('message', ({ event, data }: { event: DevEvent; data?: unknown }) => tell(event, data))
  // Whoever started us is gone without a word.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}

function hashOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch {
    return 'gone'
  }
}

/** Calls back with a JSON file's name within the folder when its content has changed; answers how to stop. */
export function watchScreens(folder: string, onChange: (file: string) => void): () => void {
  const timers = new Map<string, NodeJS.Timeout>()
  const hashes = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => [
      file,
      hashOf(join(folder, file)),
    ]),
  )
  const look = (file: string) => {
    const hash = hashOf(join(folder, file))
    if (hashes.get(file) === hash) return
    hashes.set(file, hash)
    onChange(file)
  }
  const watcher = watch(folder, { recursive: true }, (_, file) => {
    if (!file?.endsWith('.json')) return
    clearTimeout(timers.get(file))
    timers.set(
      file,
      setTimeout(() => look(file), SETTLED),
    )
  })
  return () => watcher.close()
}
