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
    if (isDeeperThan(DEEPEST, text))
      return done(problem('badRequest', { message: 'The body is nested too deep' }))
    parse(request, text, (error, value: unknown) => {
      if (error) return done(problem('badRequest', { message: 'The body is not JSON' }))
      if (value === null || typeof value !== 'object' || Array.isArray(value)) {
        return done(problem('badRequest', { message: 'The body must be an object' }))
      }
      // Decoded text is well formed, and JSON has no bare control characters: only an escape can bring what cannot be stored.
      if (text.includes('\\u') && !isStorable(value)) return done(problem('badText'))
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

/** Whether brackets outside of strings are nested deeper than a limit. */
function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (inString) {
      if (c === '\\') i++
      else if (c === '"') inString = false
    } else if (c === '"') inString = true
    else if (c === '{' || c === '[') {
      if (++depth > limit) return true
    } else if (c === '}' || c === ']') depth--
  }
  return false
}
