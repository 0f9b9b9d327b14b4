import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/** Tokens give colours their names, and paper has colours of its own. */
const EXEMPT = ['src/engine/form/theme/tokens.css', 'src/engine/print.css']

const FUNCTION = /\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/i
const HEXADECIMAL = /#[0-9a-f]{3,8}\b/i
/** Names of colours that somebody may write; those of the system, such as Canvas, are meant for forced colours. */
const NAMED = /(?<![-\w])(?:white|black|gr[ae]y|silver|red|green|blue|yellow|orange|purple|navy)(?![-\w])/i

it('writes colours only where they get the name of their meaning', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join('src', file.replaceAll('\\', '/')))
    .filter((file) => file.endsWith('.css') && !EXEMPT.includes(file))
  const found = files.flatMap((file) =>
    declarationsOf(file)
      .filter(({ text }) => [FUNCTION, HEXADECIMAL, NAMED].some((literal) => literal.test(text)))
      .map(({ text, line }) => `${file}:${line} ${text.trim()}`),
  )
  expect(found).toEqual([])
})

/** The lines of a style sheet without its comments, and without the property where a value follows. */
function declarationsOf(file: string): { text: string; line: number }[] {
  const bare = readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, (comment) =>
    comment.replace(/[^\n]/g, ' '),
  )
  return bare
    .split('\n')
    .map((text, at) => ({ text, line: at + 1 }))
    .filter(({ text }) => /^\s*[\w-]+\s*:.*;/.test(text))
}
