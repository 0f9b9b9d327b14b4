import { locate, type Problem } from '../../contract/locate.ts'
import type { Source } from '../files/read.ts'
import type { Path } from '../files/report.ts'

/** The keys that tell the items of a list apart, by the name of the list; other items differ as a whole. */
const IDENTITY: Record<string, string[]> = {
  columns: ['field'],
  facts: ['field'],
  fields: ['field'],
  options: ['value', 'label'],
  roles: ['name', 'id', 'demo'],
}

/** Reports each item of a list that the list already has. */
export function repeatedItems({ file, text, data }: Source): Problem[] {
  const problems: Problem[] = []
  const visit = (value: unknown, path: Path) => {
    if (value === null || typeof value !== 'object') return
    if (Array.isArray(value)) {
      for (const [i, first, words] of repeatsOf(value, String(path.at(-1)))) {
        const { line, column } = locate(text, [...path, first])
        const message = `${words} is in this list twice (first at ${line}:${column})`
        problems.push({ file, ...locate(text, [...path, i]), message })
      }
    }
    for (const [key, part] of Object.entries(value))
      visit(part, [...path, Array.isArray(value) ? Number(key) : key])
  }
  visit(data, [])
  return problems
}

/** The index of each repeated item, that of the first one like it, and what both are called. */
function repeatsOf(items: unknown[], list: string): [number, number, string][] {
  const repeats = new Map<number, [number, number, string]>()
  for (const key of IDENTITY[list] ?? ['']) {
    const firsts = new Map<string, number>()
    for (const [i, item] of items.entries()) {
      const part = partOf(item, key)
      if (part === undefined) continue
      const identity = JSON.stringify(part)
      const first = firsts.get(identity)
      if (first === undefined) firsts.set(identity, i)
      else if (!repeats.has(i)) repeats.set(i, [i, first, wordsOf(part)])
    }
  }
  return [...repeats.values()]
}

/** A column that is only a name is one of that field. */
function partOf(item: unknown, key: string): unknown {
  if (key === '' || item === null || typeof item !== 'object') return item
  return (item as Record<string, unknown>)[key]
}

function wordsOf(part: unknown): string {
  if (typeof part === 'string') return `'${part}'`
  const { label, title, name } = (part ?? {}) as Record<string, unknown>
  const known = label ?? title ?? name
  if (known !== undefined) return `'${known}'`
  return typeof part === 'object' && part !== null ? 'the same' : String(part)
}
