import { createHash } from 'node:crypto'
import type { Problem } from '../../../contract/locate.ts'

/** How a step runs: in one short transaction, outside of any, or in many, each with a range of ids. */
export type Runs = 'transaction' | 'concurrently' | 'batched'

export interface Step {
  /** From 1. */
  number: number
  runs: Runs
  /** The table whose ids a batched step walks through. */
  table?: string
  /** Preceded by empty lines, so that PostgreSQL's error positions are lines of the file. */
  sql: string
  hash: string
}

const MARKER = /^-- step\b(.*)$/
const HOW = /^(?:|: (concurrently)|: (batched) ([a-z][a-z0-9_]*))$/
const INDEX =
  /^(?:create (?:unique )?index concurrently|drop index concurrently) (?:if (?:not )?exists )?(\w+)/i

/** The steps of a migration: from each "-- step" line to the next. A file without such a line is one step. */
export function stepsOf(sql: string): Step[] {
  const lines = sql.split('\n')
  const starts = lines.flatMap((line, i) => (MARKER.test(line) ? [i] : []))
  if (starts.length === 0) return [step(1, '', sql)]
  return starts.map((start, i) => {
    const body = lines.slice(start + 1, starts[i + 1]).join('\n')
    return step(i + 1, lines[start].match(MARKER)![1], '\n'.repeat(start + 1) + body)
  })
}

function step(number: number, how: string, sql: string): Step {
  const [, concurrently, batched, table] = how.match(HOW) ?? []
  return {
    number,
    runs: (concurrently ?? batched ?? 'transaction') as Runs,
    table,
    sql,
    hash: createHash('sha256').update(sql.trim()).digest('hex'),
  }
}

/** The name of the index that a concurrent step creates or drops. */
export function indexName({ sql }: Step): string | undefined {
  return statementOf(sql).match(INDEX)?.[1]
}

/** A text without comments and line breaks. */
function statementOf(sql: string): string {
  return sql.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').trim()
}

/** Wrong "-- step" lines, SQL before the first of them, and steps that cannot run as they say. */
export function stepProblems({ path, sql }: { path: string; sql: string }): Problem[] {
  const lines = sql.split('\n')
  const problems: Problem[] = []
  const report = (line: number, message: string) => problems.push({ file: path, line, column: 1, message })
  const first = lines.findIndex((line) => MARKER.test(line))
  if (first < 0) return []
  const early = lines.slice(0, first).findIndex((line) => line.trim() !== '' && !line.startsWith('--'))
  if (early >= 0) report(early + 1, 'write "-- step" before the first statement')
  lines.forEach((line, i) => {
    const how = line.match(MARKER)?.[1]
    if (how !== undefined && !HOW.test(how))
      report(
        i + 1,
        'write "-- step", "-- step: concurrently", or "-- step: batched" and the table to walk through',
      )
  })
  for (const one of stepsOf(sql)) {
    const line = one.sql.match(/^\n*/)![0].length
    const message = WRONG[one.runs](one)
    if (message) report(line, message)
  }
  return problems
}

const WRONG: Record<Runs, (step: Step) => string | undefined> = {
  transaction: ({ sql }) => (statementOf(sql) === '' ? 'this step has no statement' : undefined),
  concurrently: (one) =>
    indexName(one) && isOneStatement(one.sql)
      ? undefined
      : 'write one statement: create index concurrently, with the name of the index, or drop index concurrently',
  batched: ({ sql }) =>
    isOneStatement(sql) && /\$1\b/.test(sql) && /\$2\b/.test(sql)
      ? undefined
      : 'write one statement for the rows whose id is between $1 and $2',
}

function isOneStatement(sql: string): boolean {
  return !statementOf(sql).replace(/;$/, '').includes(';')
}
