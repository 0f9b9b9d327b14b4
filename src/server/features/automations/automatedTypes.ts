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

/** Number of versions that stay in memory; the forms of one are some 100 kB. */
const MAX_CACHED = 50
/** By case type and version, of which each is written once. */
const cache = new Map<string, AutomatedType>()

/** The case types of these versions, so that a save need not read and parse its forms again. */
export async function automatedTypes(
  db: Db,
  versions: Pick<AutomatedType, 'id' | 'version'>[],
): Promise<Map<number, AutomatedType>> {
  const unknown = versions.filter((one) => !cache.has(keyOf(one))).map(({ id }) => id)
  if (unknown.length > 0) {
    const { rows } =
      await sql<AutomatedType>`select id, version, case_meta, issue_meta, automations, deadlines from case_types
      where id = any(${unknown}::int[])`.execute(db)
    for (const row of rows) cache.set(keyOf(row), row)
  }
  const found = new Map(versions.flatMap((one) => entryOf(one)))
  for (const key of [...cache.keys()].slice(0, Math.max(0, cache.size - MAX_CACHED))) cache.delete(key)
  return found
}

function entryOf(one: Pick<AutomatedType, 'id' | 'version'>): [number, AutomatedType][] {
  const type = cache.get(keyOf(one))
  return type ? [[one.id, type]] : []
}

function keyOf({ id, version }: Pick<AutomatedType, 'id' | 'version'>): string {
  return `${id}/${version}`
}
