import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/**
 * Message of the build process: new files of the page, changed screens or schemas, or a build error (null: resolved).
 */
type BuildMessage =
  | { event: 'reload' | 'check' }
  | { event: 'css'; data: string[] }
  | { event: 'fail'; data: string | null }

// A page that reconnects to a server with another id reloads itself.
const boot = randomUUID()

const pages = new Set<ServerResponse>()
const mistakes = new Map<'build' | 'contract', string>()
let currentContract: { address: string } | undefined

const line = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data ?? null)}\n\n`
const failure = () => line('fail', [...mistakes.values()].join('\n') || null)

function broadcast(text: string): void {
  for (const page of pages) page.write(text)
}

/** Sends an error to every current and future page; null clears the error of that part. */
export function broadcastMistake(part: 'build' | 'contract', text: string | null): void {
  if (text === null) mistakes.delete(part)
  else mistakes.set(part, text)
  broadcast(failure())
}

/** Makes every current and future page render the contract at this address. */
export function broadcastContract(address: string): void {
  currentContract = { address }
  broadcast(line('screen', currentContract))
}

/** Registers GET /__dev, the event stream for pages in development; does nothing unless DEV is 1. */
export function registerDev(app: FastifyInstance): void {
  if (process.env.DEV !== '1') return
  app.get('/__dev', (request, reply) => {
    reply.hijack()
    const page = reply.raw
    page.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    page.write(
      `retry: 100\n${line('hello', boot)}${currentContract ? line('screen', currentContract) : ''}${failure()}`,
    )
    pages.add(page)
    request.raw.once('close', () => pages.delete(page))
  })
  app.addHook('preClose', async () => {
    for (const page of pages) page.end()
  })
  process.on('message', (message: BuildMessage) => {
    if (message.event === 'fail') broadcastMistake('build', message.data)
    else if (message.event !== 'check')
      broadcast(line(message.event, 'data' in message ? message.data : null))
  })
  // The parent process has ended without a signal.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}
