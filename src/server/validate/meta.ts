import { sql } from 'kysely'
import type { Entity, Group } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import type { ConditionContext, Values } from '../../contract/when.ts'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'
import { fieldProblem } from '../problems.ts'

export interface Meta {
  groups: Group[]
  version: number
  /** The condition context of the stored record. */
  contextOf: (record: Row) => ConditionContext
  /** Id of the case type, and which of its forms this is. */
  caseType: number
  which: MetaName
}

/** The published meta that validates the answers of a case or an issue. */
export async function metaFor({ db, me }: Call, entity: Entity, record: unknown): Promise<Meta> {
  const which = Object.values(entity.properties).find((p) => p.meta)!.meta!
  const caseId = entity.$id === 'case' ? record : sql`(select "case" from issues where id = ${record})`
  const { rows } = await sql<{
    id: number
    version: number
    groups: Group[]
    caseRecord: Values
    client: Values
  }>`
    select t.id, t.version, t.${sql.raw(which)} as groups, to_jsonb(k) - 'answers' as "caseRecord", to_jsonb(c) as client
    from cases k join case_types t on t.id = k.case_type join clients c on c.id = k.client where k.id = ${caseId}`.execute(
    db,
  )
  const { id, version, groups, caseRecord, client } = rows[0]
  const known = { user: { id: me.id, groups: me.groups }, with: { case: caseRecord, client } }
  return { groups, version, contextOf: (row) => ({ record: row, ...known }), caseType: id, which }
}

/** The most versions that a form which somebody has open is compared with. */
const MOST = 20

/**
 * The versions of a form that were published since the one that somebody's page shows (`case_type_version` of what they
 * sent), without the current one, newest first.
 */
export async function versionsSince(
  { db }: Call,
  { caseType, which, version }: Pick<Meta, 'caseType' | 'which' | 'version'>,
  shownVersion: unknown,
): Promise<Group[][]> {
  if (shownVersion === undefined || shownVersion === version) return []
  if (!Number.isInteger(shownVersion))
    throw fieldProblem({ case_type_version: ['Case type version must be a whole number'] })
  const since = Math.max(0, Math.min(shownVersion as number, version))
  const { rows } = await sql<{ groups: Group[] }>`select ${sql.ref(which)} as groups from case_type_versions
    where case_type = ${caseType} and version >= ${since} and version < ${version}
    order by version desc limit ${MOST}`.execute(db)
  return rows.map(({ groups }) => groups)
}

/** Refuses answers that are no object; a text or a list would be taken apart into a million keys. */
export function refuseNoAnswers(answers: unknown, at = 'answers'): void {
  if (answers === undefined) return
  if (answers === null || typeof answers !== 'object' || Array.isArray(answers))
    throw fieldProblem({ [at]: ['must be answers by name'] })
}
