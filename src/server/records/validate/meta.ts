import { sql } from 'kysely'
import { holidaysOfCase, usesCalendar } from '../../../contract/deadlines/holidaysAround.ts'
import type { Entity, Group } from '../../../contract/generated.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { fieldProblem } from '../../core/problems.ts'
import type { Around, StoredSeenValues } from '../answersSeen/readOutside.ts'
import { type RecordSeen, seenOfRecord, withAnswers } from '../answersSeen/seenOfRecord.ts'
import { readCalendars } from '../lookups/bankHolidays.ts'

export interface Meta {
  groups: Group[]
  version: number
  /** The condition context of the stored record. */
  contextOf: (record: Row) => ConditionContext
  /** A calculation looks at the bank holidays of the council area of the case. */
  usesCalendar: boolean
  /** Id of the case type. */
  caseType: number
  /** Name of the form within the case type. */
  which: MetaName
  /** The values from outside that it is evaluated with. */
  seen: RecordSeen
}

/**
 * The published meta that validates the answers of a case or an issue; with `isLatest`, its values from outside are
 * those of now.
 */
export async function metaFor(
  call: Call,
  entity: Entity,
  record: unknown,
  { isLatest = false } = {},
): Promise<Meta> {
  const { db, me, settings } = call
  const which = Object.values(entity.properties).find((p) => p.meta)!.meta!
  const caseId = entity.$id === 'case' ? record : sql`(select "case" from issues where id = ${record})`
  const { rows } = await sql<{
    id: number
    version: number
    groups: Group[]
    caseRecord: Values
    client: Values
    stored: StoredSeenValues
  }>`
    select t.id, t.version, t.${sql.raw(which)} as groups, to_jsonb(k) - '{answers,hidden_answers,answers_seen}'::text[] as "caseRecord", to_jsonb(c) as client,
      (select r.answers_seen from ${sql.table(entity.table!)} r where r.id = ${record}) as stored
    from cases k join case_types t on t.id = k.case_type join clients c on c.id = k.client where k.id = ${caseId}`.execute(
    db,
  )
  const { id, version, groups, caseRecord, client, stored } = rows[0]
  const around = async (): Promise<Around> => ({
    which,
    caseType: id,
    client,
    record: Number(record),
    ...(which === 'issue_meta' && { caseRecord: await withAnswers(call, caseRecord) }),
  })
  const seen = await seenOfRecord(call, around, { groups, stored, isLatest })
  const known = { user: { id: me.id, groups: me.groups }, with: { case: caseRecord, client } }
  const calendars = usesCalendar(groups) ? await readCalendars(db, settings.BANK_HOLIDAYS) : undefined
  const contextOf = (row: Row) => ({
    record: row,
    ...known,
    seen,
    // A case may get another council area by the change that is validated.
    holidays: holidaysOfCase(calendars, which === 'case_meta' ? row : caseRecord),
  })
  return { groups, version, contextOf, usesCalendar: calendars !== undefined, caseType: id, which, seen }
}

/** Maximum number of newer versions that an open form is compared with. */
const MAX_VERSIONS = 20

/**
 * The versions of a form from the one that was filled in (`case_type_version` of the body) to the one before the
 * current, newest first.
 */
export async function versionsSince(
  { db }: Call,
  { caseType, which, version }: Pick<Meta, 'caseType' | 'which' | 'version'>,
  formVersion: unknown,
): Promise<Group[][]> {
  if (formVersion === undefined || formVersion === version) return []
  if (!Number.isInteger(formVersion))
    throw fieldProblem({ case_type_version: ['Case type version must be a whole number'] })
  const since = Math.max(0, Math.min(formVersion as number, version))
  const { rows } = await sql<{ groups: Group[] }>`select ${sql.ref(which)} as groups from case_type_versions
    where case_type = ${caseType} and version >= ${since} and version < ${version}
    order by version desc limit ${MAX_VERSIONS}`.execute(db)
  return rows.map(({ groups }) => groups)
}

/** Refuses answers that are no object: a text or a list could be read as a million keys. */
export function refuseNoAnswers(answers: unknown, at = 'answers'): void {
  if (answers === undefined) return
  if (answers === null || typeof answers !== 'object' || Array.isArray(answers))
    throw fieldProblem({ [at]: ['must be answers by name'] })
}
