import { sql } from 'kysely'
import type { Entity, Group } from '../../contract/types.ts'
import type { Scope, Values } from '../../contract/when.ts'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'

export interface Meta {
  groups: Group[]
  version: number
  scope: Scope
}

/** The published meta that judges a record's answers, and what its conditions can reach. */
export async function metaOf({ db, me }: Call, entity: Entity, row: Row): Promise<Meta> {
  const which = Object.values(entity.properties).find((p) => p.meta)!.meta!
  const caseId = entity.$id === 'case' ? row.id : row.case
  const { rows } = await sql<{ version: number; groups: Group[]; file: Values; client: Values }>`
    select t.version, t.${sql.raw(which)} as groups, to_jsonb(k) - 'answers' as file, to_jsonb(c) as client
    from cases k join case_types t on t.id = k.case_type join clients c on c.id = k.client where k.id = ${caseId}`.execute(
    db,
  )
  const { version, groups, file, client } = rows[0]
  const scope = { record: row, user: { id: me.id, groups: me.groups }, with: { case: file, client } }
  return { groups, version, scope }
}
