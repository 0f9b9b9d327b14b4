import type { FastifyServerOptions } from 'fastify'
import { destination } from 'pino'

/** True under `npm run dev`, which sets DEV. */
export const isDevelopment = () => process.env.DEV === '1'

/** Buffer of the log in milliseconds and characters: a write for every call would block the others. */
const BUFFER = { periodicFlush: 500, minLength: 4096 }
let output: ReturnType<typeof destination> | undefined

/** Options of the logger: each entry is one line, of JSON or in development of text. */
export function loggerOptions(level: string): FastifyServerOptions['logger'] {
  if (!isDevelopment()) {
    output ??= destination({ dest: process.stdout.fd, sync: false, ...BUFFER })
    return { level, stream: output }
  }
  const options = { translateTime: 'HH:MM:ss', ignore: 'pid,hostname', singleLine: true }
  return { level, transport: { target: 'pino-pretty', options } }
}

/** Properties of a PostgreSQL error besides its message. */
const DATABASE_ERROR_KEYS = [
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
 * Properties of an unexpected error for the log. In production these are its code and stack without the message, which
 * may quote what a person typed; in development all, for SQL errors the table and column too.
 */
export function loggedError(error: unknown): Record<string, unknown> {
  const { code, stack, message, ...others } = { ...(error as object), ...plainOf(error) }
  const frames = stack?.split('\n').slice(1, 8).join('\n')
  if (!isDevelopment()) return { code, stack: frames }
  const details = others as Partial<Record<(typeof DATABASE_ERROR_KEYS)[number], unknown>>
  const entries = DATABASE_ERROR_KEYS.filter((key) => details[key] !== undefined).map((key) => [
    key,
    details[key],
  ])
  return { code, message, ...Object.fromEntries(entries), stack: frames }
}

function plainOf(error: unknown): { code?: string; stack?: string; message: string } {
  const { code, stack, message } = error as Error & { code?: string }
  return { code, stack, message: message ?? String(error) }
}
