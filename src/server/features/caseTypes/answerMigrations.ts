import { sql } from 'kysely'
import { type AnswerMove, movesBySource } from '../../../contract/answerMigration/answerMoves.ts'
import { mergeForms } from '../../../contract/caseType/mergeForms.ts'
import type { MetaName, Metas } from '../../../contract/meta/metaTypes.ts'
import { fieldsByName } from '../../../contract/meta/places.ts'
import { quotedAll } from '../../../contract/quoted.ts'
import type { CaseType } from '../../../contract/types/entities.ts'
import type { Call, Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { refuseFailingTests } from '../../records/validate/formTests.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch } from '../../records/verbs/read.ts'
import { type CaseTypeParts, PART_COLUMNS, partsFrom, refuseInvalidParts } from './caseTypeParts.ts'
import { dryRunOf } from './dryRun.ts'
import { UNDO_DAYS } from './forgetReplaced.ts'
import { plannedMigration, reversedMigration } from './planMigration.ts'
import { publish } from './publication.ts'

/**
 * True for a migration m that can still be undone: the last one of its case type that is not undone itself. Later
 * publications without migrations do not matter.
 */
const MAY_UNDO = sql`(m.undoes is null and m.at > now() - make_interval(days => ${UNDO_DAYS})
  and not exists (select from answer_migrations u where u.case_type = m.case_type and u.undoes = m.version)
  and not exists (select from answer_migrations l
    where l.case_type = m.case_type and l.version > m.version and l.undoes is null
      and not exists (select from answer_migrations u where u.case_type = l.case_type and u.undoes = l.version)))`
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

/**
 * The publications that took answers along, newest first, with the records whose values did not fit or were changed
 * since.
 */
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
    from answer_migrations m left join staff s on s.id = m.by
    where m.case_type = ${call.params.id} order by m.version desc`.execute(call.db)
  return rows
}

/**
 * Publishes the forms as they were before a version that took answers along, with what later versions changed, and
 * gives records back what it replaced. Answers that were changed since keep their change, and are listed.
 */
export const undo: Handler = async (call) => {
  const { db, params, contract } = call
  const body = await validateBody(call, contract.bodies.undoAnswerMigration, call.body)
  const version = Number(body.version)
  const { rows } = await sql<
    Record<MetaName, AnswerMove[]> & { may_undo: boolean }
  >`select m.case_meta, m.issue_meta,
      ${MAY_UNDO} as may_undo
    from answer_migrations m
    where m.case_type = ${params.id} and m.version = ${version}`.execute(db)
  if (!rows[0]) throw problem('notFound')
  if (!rows[0].may_undo) throw problem('migrationNotUndoable')
  const { may_undo: _, ...moves } = rows[0]
  const before = await publishedOf(call)
  await publish({ ...call, body: { note: `Version ${version} undone` } }, before, {
    label: before.label,
    parts: await withoutVersion(call, before, version, moves),
    anyway: '',
    migration: reversedMigration(version, moves),
  })
  return fetch(call, contract.entities.caseType, params.id)
}

/**
 * The published case type without what a version changed; refuses if a later version changed the same, or what only
 * fits the form of that version.
 */
async function withoutVersion(
  call: Call,
  published: Published,
  version: number,
  moves: Record<MetaName, AnswerMove[]>,
): Promise<CaseTypeParts> {
  const { label, service } = published
  const { rows } = await sql<CaseTypeParts>`select ${PART_COLUMNS} from case_type_versions
    where case_type = ${call.params.id} and version in (${version - 1}, ${version}) order by version`.execute(
    call.db,
  )
  if (rows.length < 2) throw problem('notFound')
  const [earlier, base] = rows
  const conflicts: string[] = []
  const named = (parts: CaseTypeParts) => ({ ...parts, label, ...namedBack(parts, moves) })
  const { label: _, ...parts } = mergeForms(
    { base: named(base), mine: named(published), theirs: { ...earlier, label } },
    ({ path }) => {
      conflicts.push(path.join(': '))
      return 'theirs'
    },
  )
  if (conflicts.length > 0)
    throw problem('migrationNotUndoable', {
      message: `Version ${version} cannot be undone: ${quotedAll(conflicts)} ${conflicts.length > 1 ? 'were' : 'was'} changed since`,
    })
  if (published.version > version) {
    await refuseInvalidParts(call, parts)
    await refuseFailingTests(call, { ...parts, service })
  }
  return parts
}

/** The forms with the names that renamed fields had, by which a merge finds them. */
function namedBack(forms: Metas, moves: Record<MetaName, AnswerMove[]>): Metas {
  const named = (meta: MetaName) => {
    const taken = fieldsByName(forms[meta])
    const back = [...movesBySource(moves[meta])].flatMap(([from, sharing]): [string, string][] =>
      sharing.length > 1 || taken.has(from) ? [] : [[sharing[0].name, from]],
    )
    const names = new Map(back)
    return forms[meta].map((group) => ({
      ...group,
      fields: group.fields.map((field) => ({ ...field, name: names.get(field.name) ?? field.name })),
    }))
  }
  return { case_meta: named('case_meta'), issue_meta: named('issue_meta') }
}

type Published = CaseTypeParts & Pick<CaseType, 'version' | 'label' | 'service'>

async function publishedOf({ db, params }: Call): Promise<Published> {
  const { rows } = await sql<Published>`select * from case_types
    where id = ${params.id}`.execute(db)
  if (!rows[0]) throw problem('notFound')
  return rows[0]
}
