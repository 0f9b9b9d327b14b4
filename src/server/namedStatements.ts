import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'

/** Statements that one connection prepares at most: a long one takes some 100 KB of PostgreSQL's memory. */
const MOST = 200
/** Texts whose uses are counted, in this process. */
const COUNTED = 1000
/** Filters and orders make many texts that are used once; a text is worth preparing when it comes again. */
const WORTH = 2

/** Stands in the text of a query that must be planned for its values each time. */
export const PLANNED_ANEW = '/* planned anew */'

interface Statement {
  name: string
  uses: number
}
const statements = new Map<string, Statement>()

/**
 * Makes a connection prepare parameterised queries under names, so that PostgreSQL parses and plans each text once a
 * connection instead of once a call.
 */
export function nameStatements(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const prepared = new Set<string>()
  const nameOf = (text: string) => {
    const name = isStable(text) ? countedName(text) : undefined
    if (name === undefined || prepared.has(name)) return name
    if (prepared.size === MOST) return undefined
    prepared.add(name)
    return name
  }
  const named = (text: unknown, values: unknown, ...rest: unknown[]) => {
    const isParameterised = typeof text === 'string' && Array.isArray(values) && values.length > 0
    const name = isParameterised && nameOf(text)
    return name ? query({ name, text, values }, ...rest) : query(text, values, ...rest)
  }
  client.query = named as PoolClient['query']
}

/**
 * True for a text that may be planned once for all values. A search may not: only with the pattern itself can
 * PostgreSQL tell how many rows match. Nor may a list that sorts all the rows that a person sees (PLANNED_ANEW): only
 * with the team itself can it tell how many these are. Nor may `select *`: a column that a migration adds would change
 * the result of a prepared statement, which is an error.
 */
function isStable(text: string): boolean {
  return !(text.includes(PLANNED_ANEW) || /\blike\b|\*(?!\))/.test(text))
}

/** The name of a text that was used often enough lately. */
function countedName(text: string): string | undefined {
  const known = statements.get(text)
  const statement = known ?? {
    name: createHash('sha256').update(text).digest('base64url').slice(0, 24),
    uses: 0,
  }
  statement.uses++
  if (!known) forgetOldest()
  // Used last, so forgotten last.
  statements.delete(text)
  statements.set(text, statement)
  return statement.uses >= WORTH ? statement.name : undefined
}

function forgetOldest(): void {
  if (statements.size < COUNTED) return
  const [oldest] = statements.keys()
  statements.delete(oldest)
}
