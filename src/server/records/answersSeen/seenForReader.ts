import { sql } from 'kysely'
import type { Group } from '../../../contract/generated.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import type { SeenValue, SeenValues } from '../../../contract/seen.ts'
import { seenPathsOf } from '../../../contract/seenPaths.ts'
import type { Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { readOutside, type StoredSeen } from './readOutside.ts'

/**
 * The values from outside that the present form of a case or issue names, for the person who opens it: the stored
 * ones, and the present ones that a save would store; null for a form that names none.
 */
export async function seenForReader(call: Call, which: MetaName, row: Row): Promise<SeenValues | null> {
  const paths = await seenPathsOfType(call, row, which)
  if (paths.length === 0) return null
  const stored = (row.answers_seen ?? {}) as SeenValues
  const missing = paths.filter((path) => !Object.hasOwn(stored, path))
  const fresh = missing.length > 0 ? await readOutside(call, await aroundOf(call, which, row), missing) : {}
  return Object.fromEntries(paths.map((path) => [path, stored[path] ?? forReader(fresh[path])]))
}

/** A value without the properties that only the server needs. */
export function forReader({ follows: _, through: __, ...value }: StoredSeen): SeenValue {
  return value
}

async function aroundOf({ db }: Call, which: MetaName, row: Row) {
  const caseId = which === 'case_meta' ? row.id : row.case
  const { rows } = await sql<{ client: Values; caseRecord: Values }>`
    select to_jsonb(c) as client, to_jsonb(k) as "caseRecord"
    from cases k join clients c on c.id = k.client where k.id = ${caseId}`.execute(db)
  const { client, caseRecord } = rows[0]
  return {
    which,
    caseType: Number(row.case_type),
    client,
    record: Number(row.id),
    ...(which === 'issue_meta' && { caseRecord }),
  }
}

/** Maximum number of forms whose paths are remembered. */
const MAX_FORMS = 1000

/** Paths by form and version, of each server: versions never change. */
const servers = new WeakMap<Call['settings'], Map<string, string[]>>()

/** The values from outside that the present version of a form names. */
async function seenPathsOfType(
  { db, settings }: Call,
  { case_type, form_version }: Row,
  which: MetaName,
): Promise<string[]> {
  const known = servers.get(settings) ?? new Map<string, string[]>()
  servers.set(settings, known)
  const key = `${case_type} ${form_version} ${which}`
  const found = known.get(key)
  if (found) return found
  const { rows } = await sql<{ groups: Group[]; version: number }>`
    select ${sql.ref(which)} as groups, version from case_types where id = ${case_type}`.execute(db)
  const paths = seenPathsOf(rows[0]?.groups ?? [])
  if (known.size >= MAX_FORMS) known.clear()
  // A publication meanwhile has another version.
  if (rows[0]?.version === form_version) known.set(key, paths)
  return paths
}
