import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'

/** Maximum number of statements that one connection prepares: a long one takes some 100 KB of PostgreSQL's memory. */
const MAX_PREPARED = 200
/** Maximum number of texts whose uses this process counts. */
const MAX_COUNTED = 1000
/** Uses from which a text is prepared: filters and orders make many texts that are used only once. */
const MIN_USES = 2

/** Comment marking a query that must not become a prepared statement, because its plan depends on the values. */
export const NO_PREPARE = '/* planned anew */'

interface Statement {
  name: string
  uses: number
}
const statements = new Map<string, Statement>()

/**
 * Makes a connection prepare queries under names, so that PostgreSQL parses and plans each text once a connection
 * instead of once a call.
 */
export function nameStatements(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const prepared = new Set<string>()
  const nameOf = (text: string) => {
    const name = isStable(text) ? countedName(text) : undefined
    if (name === undefined || prepared.has(name)) return name
    if (prepared.size === MAX_PREPARED) return undefined
    prepared.add(name)
    return name
  }
  const named = (text: unknown, values: unknown, ...rest: unknown[]) => {
    const name = typeof text === 'string' && Array.isArray(values) && nameOf(text)
    return name ? query({ name, text, values }, ...rest) : query(text, values, ...rest)
  }
  client.query = named as PoolClient['query']
}

/**
 * True for a text that may be planned once for all values. That excludes a search with LIKE, because PostgreSQL needs
 * the pattern to estimate the matching rows; a query marked NO_PREPARE, such as a list of all rows that a person sees,
 * because it needs the ids of the team; and `select *` or `r.*`, because a column that a migration adds would change
 * the result of a prepared statement, which is an error. Several statements in one text cannot be prepared.
 */
export function isStable(text: string): boolean {
  return (
    QUERY.test(text) &&
    !(text.includes(NO_PREPARE) || /\blike\b|;|(\b(select|returning)\s+|[,.]\s*)\*(?!\.)/.test(text))
  )
}

const QUERY = /^\s*(select|with|insert|update|delete)\b/

/** The name of a text with at least MIN_USES recent uses. */
function countedName(text: string): string | undefined {
  const known = statements.get(text)
  const statement = known ?? {
    name: createHash('sha256').update(text).digest('base64url').slice(0, 24),
    uses: 0,
  }
  statement.uses++
  if (!known) evictOldest()
  // Moves the text to the end of the map, so that it is evicted last.
  statements.delete(text)
  statements.set(text, statement)
  return statement.uses >= MIN_USES ? statement.name : undefined
}

function evictOldest(): void {
  if (statements.size < MAX_COUNTED) return
  const [oldest] = statements.keys()
  statements.delete(oldest)
}
