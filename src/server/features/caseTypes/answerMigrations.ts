import { sql } from 'kysely'
import type { AnswerMove } from '../../../contract/answerMigration/answerMoves.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import type { CaseType } from '../../../contract/types/entities.ts'
import type { Call, Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch } from '../../records/verbs/read.ts'
import { type CaseTypeParts, PART_COLUMNS, partsFrom } from './caseTypeParts.ts'
import { dryRunOf } from './dryRun.ts'
import { UNDO_DAYS } from './forgetReplaced.ts'
import { plannedMigration, reversedMigration } from './planMigration.ts'
import { publish } from './publication.ts'

/** True for a migration m of the published version of its case type t that can still be undone; an undo cannot. */
const MAY_UNDO = sql`(t.version = m.version and m.undoes is null and m.at > now() - make_interval(days => ${UNDO_DAYS}))`
/** Maximum number of records that are listed of a migration. */
const MAX_OPEN = 200

/** What a publication of these forms would do with the stored answers. Changes nothing. */
export const dryRun: Handler = async (call) => {
  const { case_meta, issue_meta, ...others } = call.body
  if (Object.keys(others).length > 0) throw problem('badRequest')
  const before = await publishedOf(call)
  const parts = partsFrom({ ...call, body: { case_meta, issue_meta } }, before)
  return dryRunOf(call.db, Number(call.params.id), plannedMigration(before, parts).moves)
}

/** The publications that took answers along, newest first, with the records whose values did not fit or were changed since. */
export const list: Handler = async (call) => {
  await fetch(call, call.contract.entities.caseType, call.params.id)
  const { rows } = await sql`select m.version, m.undoes, m.at, m.state, m.moved,
      trim(s.first_name || ' ' || s.last_name) as by,
      ${MAY_UNDO} as may_undo,
      (select count(*) from replaced_answers p where p.migration = m.id and p.open is not null)::int as open_count,
      (select coalesce(jsonb_agg(jsonb_build_object('case', o."case", 'issue', o.issue, 'client_name', o.client_name, 'values', o.open)), '[]')
        from (select p."case", p.issue, p.open, c.first_name || ' ' || c.last_name as client_name
          from replaced_answers p join cases k on k.id = p."case" join clients c on c.id = k.client
          where p.migration = m.id and p.open is not null order by p.id limit ${MAX_OPEN}) o) as open
    from answer_migrations m join case_types t on t.id = m.case_type left join staff s on s.id = m.by
    where m.case_type = ${call.params.id} order by m.version desc`.execute(call.db)
  return rows
}

/**
 * Publishes the version before the current one again, which took answers along, and gives records back what it replaced.
 * Answers that were changed since keep their change, and are listed.
 */
export const undo: Handler = async (call) => {
  const { db, params, contract } = call
  const { version } = await validateBody(call, contract.bodies.undoAnswerMigration, call.body)
  const { rows } = await sql<
    Record<MetaName, AnswerMove[]> & { may_undo: boolean }
  >`select m.case_meta, m.issue_meta,
      ${MAY_UNDO} as may_undo
    from answer_migrations m join case_types t on t.id = m.case_type
    where m.case_type = ${params.id} and m.version = ${version}`.execute(db)
  if (!rows[0]) throw problem('notFound')
  if (!rows[0].may_undo) throw problem('migrationNotUndoable')
  const { may_undo: _, ...moves } = rows[0]
  const before = await publishedOf(call)
  const { rows: earlier } = await sql<CaseTypeParts & Pick<CaseType, 'label'>>`select label, ${PART_COLUMNS}
    from case_type_versions where case_type = ${params.id} and version = ${Number(version) - 1}`.execute(db)
  if (!earlier[0]) throw problem('notFound')
  const { label: __, ...parts } = earlier[0]
  await publish({ ...call, body: { note: `Version ${version} undone` } }, before, {
    label: before.label,
    parts,
    anyway: '',
    migration: reversedMigration(Number(version), moves),
  })
  return fetch(call, contract.entities.caseType, params.id)
}

async function publishedOf({
  db,
  params,
}: Call): Promise<CaseTypeParts & Pick<CaseType, 'version' | 'label'>> {
  const { rows } = await sql<CaseTypeParts & Pick<CaseType, 'version' | 'label'>>`select * from case_types
    where id = ${params.id}`.execute(db)
  if (!rows[0]) throw problem('notFound')
  return rows[0]
}
