import path from 'node:path'
import type { Example } from './examples.ts'

/** A row of a table, the example last. */
export interface Row {
  cells: string[]
  example?: Example
}

/** Longest example, in characters; the rest of it is left out. */
const MAX_LENGTH = 90

/** A table whose last column is the example, with a link to its file from a page in `folder`. */
export function table(head: string[], rows: Row[], folder: string): string {
  const lines = [
    [...head, 'example'],
    [...head, 'example'].map(() => '---'),
    ...rows.map(({ cells, example }) => [
      ...cells.map((cell) => escaped(cell).replaceAll('<', '&lt;')),
      example ? exampleText(example, folder) : 'not used yet',
    ]),
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Formats JSON or a name as inline code. */
export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

// Without the line, so that a line added above the example does not make the reference stale.
function exampleText({ file, text }: Example, folder: string): string {
  const short = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1).trimEnd()}…` : text
  const address = path.posix.relative(folder, file)
  return `${escaped(code(short))} [${path.posix.basename(file)}](${address})`
}

/** Escapes vertical bars, which would end the cell. */
function escaped(text: string): string {
  return text.replaceAll('|', '\\|')
}
