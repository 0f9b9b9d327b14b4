import type { FastifyInstance } from 'fastify'
import { problem } from './problems.ts'

const DEEPEST = 32

/** Reads JSON bodies: an empty one as {}, and refuses with 400 what no text column could hold or no form could send. */
export function registerJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = decode(decoder, body)
    if (text === undefined) return done(problem('badText'))
    if (text.trim() === '') return done(null, {})
    if (depth(text) > DEEPEST) return done(problem('badRequest', { message: 'The body is nested too deep' }))
    parse(request, text, (error, value: unknown) => {
      if (error) return done(problem('badRequest', { message: 'The body is not JSON' }))
      if (value === null || typeof value !== 'object' || Array.isArray(value)) {
        return done(problem('badRequest', { message: 'The body must be an object' }))
      }
      if (!isStorable(value)) return done(problem('badText'))
      done(null, value)
    })
  })
}

/** Whether every text in a value can be stored: no NUL, no half of a surrogate pair. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (value === null || typeof value !== 'object') return true
  return Object.entries(value).every(([key, one]) => isStorable(key) && isStorable(one))
}

function decode(decoder: TextDecoder, body: Buffer): string | undefined {
  try {
    return decoder.decode(body)
  } catch {
    return undefined
  }
}

/** How deep brackets are nested; those inside texts count too, which no honest body reaches. */
function depth(text: string): number {
  let now = 0
  let most = 0
  for (const c of text) {
    if (c === '{' || c === '[') most = Math.max(most, ++now)
    else if (c === '}' || c === ']') now--
  }
  return most
}
