import { sql } from 'kysely'
import type { Automation, Deadline, Group } from '../../../contract/generated.ts'
import type { Db } from '../../core/db.ts'

/** The published forms, automations and deadlines of a case type. */
export interface AutomatedType {
  id: number
  version: number
  case_meta: Group[]
  issue_meta: Group[]
  automations: Automation[]
  deadlines: Deadline[]
}

/** A version of a case type, and the name of the database that has it: the tests of a process have many. */
export interface TypeVersion {
  database: string
  type: number
  version: number
}

/** Number of versions that stay in memory; the forms of one are some 100 kB. */
const MAX_CACHED = 50
/** By database, case type and version; a version never changes. */
const cache = new Map<string, AutomatedType>()

/** The case types of these versions, so that a save need not read and parse its forms again. */
export async function automatedTypes(db: Db, versions: TypeVersion[]): Promise<Map<number, AutomatedType>> {
  const unknown = versions.filter((one) => !cache.has(keyOf(one)))
  if (unknown.length > 0) {
    const ids = unknown.map(({ type }) => type)
    const { rows } =
      await sql<AutomatedType>`select id, version, case_meta, issue_meta, automations, deadlines from case_types
      where id = any(${ids}::int[])`.execute(db)
    const [{ database }] = unknown
    for (const row of rows) cache.set(keyOf({ database, type: row.id, version: row.version }), row)
  }
  const found = new Map(versions.flatMap((one) => entryOf(one)))
  for (const key of [...cache.keys()].slice(0, Math.max(0, cache.size - MAX_CACHED))) cache.delete(key)
  return found
}

function entryOf(one: TypeVersion): [number, AutomatedType][] {
  const type = cache.get(keyOf(one))
  return type ? [[one.type, type]] : []
}

function keyOf({ database, type, version }: TypeVersion): string {
  return `${database}/${type}/${version}`
}
