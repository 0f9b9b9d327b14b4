import type { FastifyServerOptions } from 'fastify'
import { destination } from 'pino'

/** Whether a developer sits in front of it: `npm run dev` sets DEV. */
export const isDevelopment = () => process.env.DEV === '1'

/** Milliseconds, and characters, of lines that are written at once: a write for every call would hold the others up. */
const COLLECTED = { periodicFlush: 500, minLength: 4096 }
let output: ReturnType<typeof destination> | undefined

/** The logger's options: JSON a line, and in development text a line. */
export function loggerOptions(level: string): FastifyServerOptions['logger'] {
  if (!isDevelopment()) {
    output ??= destination({ dest: process.stdout.fd, sync: false, ...COLLECTED })
    return { level, stream: output }
  }
  const options = { translateTime: 'HH:MM:ss', ignore: 'pid,hostname', singleLine: true }
  return { level, transport: { target: 'pino-pretty', options } }
}

/** What PostgreSQL says of an error besides its message. */
const OF_DATABASE = [
  'detail',
  'hint',
  'schema',
  'table',
  'column',
  'constraint',
  'position',
  'where',
] as const

/**
 * What the log keeps of an unexpected error. In production that is its code and stack without the message, which may
 * quote what a person typed; in development everything, for SQL errors the table and column too.
 */
export function loggedError(error: unknown): Record<string, unknown> {
  const { code, stack, message, ...others } = { ...(error as object), ...plainOf(error) }
  const places = stack?.split('\n').slice(1, 8).join('\n')
  if (!isDevelopment()) return { code, stack: places }
  const found = others as Partial<Record<(typeof OF_DATABASE)[number], unknown>>
  const said = OF_DATABASE.filter((key) => found[key] !== undefined).map((key) => [key, found[key]])
  return { code, message, ...Object.fromEntries(said), stack: places }
}

function plainOf(error: unknown): { code?: string; stack?: string; message: string } {
  const { code, stack, message } = error as Error & { code?: string }
  return { code, stack, message: message ?? String(error) }
}
