import type { FastifyInstance } from 'fastify'
import { problem } from './problems.ts'

const DEEPEST = 32
/** Keys of one object; a form has 500 fields at most. */
const MOST_KEYS = 2000
/** Values, lists and keys in all; the largest forms of case types have a fifth of that. */
const MOST_VALUES = 50_000

/** Reads JSON bodies: an empty one as {}, and refuses with 400 what no text column could hold or no form could send. */
export function registerJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // Fastify's own parsers; it would hand a plain text over as the body, which no call takes.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = decode(decoder, body)
    if (text === undefined) return done(problem('badText'))
    if (text.trim() === '') return done(null, {})
    const excess = excessOf(text)
    if (excess) return done(problem('badRequest', { message: excess }))
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

const [QUOTE, COMMA, COLON, BACKSLASH] = ['"', ',', ':', '\\'].map((c) => c.charCodeAt(0))
const [BRACE, BRACKET, END_BRACE, END_BRACKET] = ['{', '[', '}', ']'].map((c) => c.charCodeAt(0))

/**
 * What a body has too much of, told from its text: parsing and validating a megabyte of tiny values would keep everybody
 * else waiting. Only what stands outside of strings counts.
 */
function excessOf(text: string): string | undefined {
  const keys = new Array(DEEPEST + 1).fill(0)
  let depth = 0
  let values = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (inString) {
      if (c === BACKSLASH) i++
      else if (c === QUOTE) inString = false
    } else if (c === QUOTE) inString = true
    else if (c === COMMA) values++
    else if (c === COLON) {
      values++
      if (++keys[depth] > MOST_KEYS) return 'An object of the body has too many keys'
    } else if (c === BRACE || c === BRACKET) {
      if (++depth > DEEPEST) return 'The body is nested too deep'
      keys[depth] = 0
      values++
    } else if (c === END_BRACE || c === END_BRACKET) depth--
    if (values > MOST_VALUES) return 'The body has too many values'
  }
  return undefined
}
