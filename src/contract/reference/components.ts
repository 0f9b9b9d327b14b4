import fs from 'node:fs'
import path from 'node:path'

/** A component of the engine that a descriptor names, as its table and its own file say it. */
export interface Component {
  name: string
  /** From the root. */
  file: string
  /** The comment above it, in one line. */
  about: string
}

/** The components of a table in a source (`export const cells = {`), by the names that descriptors give them. */
export function componentsOf(root: string, source: string, table: string): Component[] {
  const text = fs.readFileSync(path.join(root, source), 'utf8')
  const [, entries = ''] = text.match(new RegExp(`const ${table}\\b[^{]*\\{([^}]*)\\}`)) ?? []
  return [...entries.matchAll(/^ {2}(\w+): (\w+),$/gm)].map(([, name, component]) => {
    const [, from = ''] = text.match(new RegExp(`import \\{ ${component} \\} from '(.*)'`)) ?? []
    const file = path.posix.join(path.posix.dirname(source), from)
    return { name, file, about: commentAbove(fs.readFileSync(path.join(root, file), 'utf8'), component) }
  })
}

function commentAbove(text: string, component: string): string {
  const before = text.slice(0, text.indexOf(`export function ${component}(`)).trimEnd()
  const start = before.endsWith('*/') ? before.lastIndexOf('/**') : before.length
  return before
    .slice(start)
    .replaceAll(/^\/\*\*|\*\/$/g, '')
    .replaceAll(/\s*\n \* ?/g, ' ')
    .trim()
}
