import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { type Problem, printProblem } from '../../../contract/locate.ts'
import { rootFolder } from '../../core/rootFolder.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { type Step, stepProblems, stepsOf } from './steps.ts'

export interface SqlFile {
  name: string
  /** For messages: from the root of the project, if it is within. */
  path: string
  sql: string
  hash: string
}
/** Servers of the previous release can run after an expand migration, but not after a contract migration. */
export type Kind = 'expand' | 'contract'
export interface Migration extends SqlFile {
  kind: Kind
  steps: Step[]
}

/** The SQL files of a folder in the order of their names. */
export function readSqlFiles(folder: string): SqlFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => {
    const file = join(folder, name)
    const sql = readFileSync(file, 'utf8').replaceAll('\r\n', '\n') // git may have converted line endings
    return {
      name: name.slice(0, -4),
      path: shownPath(file),
      sql,
      hash: createHash('sha256').update(sql).digest('hex'),
    }
  })
}

/** A path of the project from its root, with which messages are shorter; any other as it is. */
function shownPath(file: string): string {
  const path = relative(rootFolder(), file)
  return path.startsWith('..') || isAbsolute(path) ? file : path
}

/** The migrations of a folder; throws a StartProblem for a file without a number of its own, a kind or valid steps. */
export function readMigrations(folder: string): Migration[] {
  const files = readSqlFiles(folder)
  const [problem] = migrationProblems(files)
  if (problem) throw new StartProblem(printProblem(problem))
  return files.map(asMigration)
}

/** A migration file whose problems have been excluded. */
export function asMigration(file: SqlFile): Migration {
  return { ...file, kind: kindOf(file)!, steps: stepsOf(file.sql) }
}

/** Wrong names, first lines and steps of migrations. */
export function migrationProblems(files: SqlFile[]): Problem[] {
  const numbers = files.map(({ name }) => Number(name.match(NUMBERED)?.[1] ?? 0))
  const next = String(Math.max(0, ...numbers) + 1).padStart(3, '0')
  return files.flatMap((file, i) => {
    const { name, path } = file
    const messages: string[] = []
    const before = numbers.indexOf(numbers[i])
    if (numbers[i] === 0) {
      const words = name.replace(/^[\d\W_]+/, '').replaceAll(/\W+/g, '_') || 'what_it_does'
      messages.push(`name it ${next}_${words}.sql`)
    } else if (before < i) {
      messages.push(`${files[before].name}.sql has the same number: give the new one of both ${next}`)
    }
    if (!kindOf(file)) messages.push(`begin with "-- kind: expand", or with ${OTHER_KIND}`)
    return [
      ...messages.map((message) => ({ file: path, line: 1, column: 1, message })),
      ...stepProblems(file),
    ]
  })
}

/** Views with a name that would need quotes, or whose file has more than the query. */
export function viewProblems(files: SqlFile[]): Problem[] {
  return files.flatMap(({ name, path, sql }) => {
    const messages: string[] = []
    if (!/^[a-z][a-z0-9_]*$/.test(name)) messages.push('a view is named by small letters, digits and _')
    const query = sql.replaceAll(/--.*/g, '').trim()
    if (!/^(select|with)\b/i.test(query))
      messages.push("write the query of the view only, from 'select' or 'with' on")
    return messages.map((message) => ({ file: path, line: 1, column: 1, message }))
  })
}

const NUMBERED = /^(\d{3})_\w+$/
const OTHER_KIND = '"-- kind: contract" where the release before cannot run on with it'

function kindOf({ sql }: SqlFile): Kind | undefined {
  return sql.match(/^-- kind: (expand|contract)\n/)?.[1] as Kind | undefined
}
