import type { FastifyInstance } from 'fastify'
import { isStorable } from '../core/isStorable.ts'
import { problem } from '../core/problems.ts'

const MAX_DEPTH = 32
/** Maximum keys of one object; a form has 500 fields at most. */
const MAX_KEYS = 2000
/** Maximum values, lists and keys in all; the largest forms of case types have a fifth of that. */
const MAX_VALUES = 50_000

/**
 * Parses JSON bodies, an empty one as {}; refuses texts that cannot be stored and bodies larger than any form sends.
 */
export function registerJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // Fastify's own parsers; its one for plain text would make the text the body, which no call accepts.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = decode(decoder, body)
    if (text === undefined) return done(problem('badText'))
    if (text.trim() === '') return done(null, {})
    const error = limitExceeded(text)
    if (error) return done(problem('badRequest', { message: error }))
    parse(request, text, (error, value: unknown) => {
      if (error) return done(problem('badRequest', { message: 'The body is not JSON' }))
      if (value === null || typeof value !== 'object' || Array.isArray(value)) {
        return done(problem('badRequest', { message: 'The body must be an object' }))
      }
      // Decoded text is well formed and JSON has no raw control characters, so only an escape can contain either.
      if (text.includes('\\u') && !isStorable(value)) return done(problem('badText'))
      done(null, value)
    })
  })
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
 * The error if a body exceeds a limit, counted in its text before it is parsed: parsing and validating a megabyte of
 * tiny values would block the server. Characters inside strings do not count.
 */
function limitExceeded(text: string): string | undefined {
  const keys = new Array(MAX_DEPTH + 1).fill(0)
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
      if (++keys[depth] > MAX_KEYS) return 'An object of the body has too many keys'
    } else if (c === BRACE || c === BRACKET) {
      if (++depth > MAX_DEPTH) return 'The body is nested too deep'
      keys[depth] = 0
      values++
    } else if (c === END_BRACE || c === END_BRACKET) depth--
    if (values > MAX_VALUES) return 'The body has too many values'
  }
  return undefined
}
