import { sql } from 'kysely'
import {
  type AnswerMove,
  movesOf,
  reverseMoves,
  sourcesOf,
  withoutTakes,
} from '../../../contract/answerMigration/answerMoves.ts'
import { fitsField } from '../../../contract/answerMigration/fitsField.ts'
import type { MetaName, Metas } from '../../../contract/meta/metaTypes.ts'
import { isPlainObject } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import type { AnsweredEntity } from '../../records/answerMigrations/pendingMigrations.ts'
import type { CaseTypeParts } from './caseTypeParts.ts'
import { followMoves } from './followMoves.ts'

/** A value that somebody chose for the answer of one record; null: none. */
interface Decision {
  entity: AnsweredEntity
  id: number
  /** The field that takes the answer. */
  name: string
  /** The answer that the value replaces; if the record has another one by then, the value is not used. */
  was: unknown
  value: unknown
}

export interface PlannedMigration {
  moves: Record<MetaName, AnswerMove[]>
  /** The version that it undoes, with the moves of that version. */
  undoes?: { version: number; moves: Record<MetaName, AnswerMove[]> }
  decided: Decision[]
}

/** Maximum number of records that somebody chooses a value for. */
const MAX_DECISIONS = 1000

/** The migration of the answers when the forms `before` become those `after`. */
export function plannedMigration(before: Metas, after: Metas, decided: unknown = []): PlannedMigration {
  const moves = {
    case_meta: movesOf(before.case_meta, after.case_meta),
    issue_meta: movesOf(before.issue_meta, after.issue_meta),
  }
  return { moves, decided: decisionsOf(moves, decided) }
}

/** The migration that undoes the moves of a version. */
export function reversedMigration(version: number, moves: PlannedMigration['moves']): PlannedMigration {
  return {
    moves: { case_meta: reverseMoves(moves.case_meta), issue_meta: reverseMoves(moves.issue_meta) },
    undoes: { version, moves },
    decided: [],
  }
}

/** The parts of a case type as they are published, without what a publication applies only once. */
export function publishedParts(parts: CaseTypeParts): CaseTypeParts {
  return { ...parts, case_meta: withoutTakes(parts.case_meta), issue_meta: withoutTakes(parts.issue_meta) }
}

export function hasMoves({ moves, undoes }: PlannedMigration): boolean {
  return undoes !== undefined || moves.case_meta.length + moves.issue_meta.length > 0
}

/** Stores the migration of the version that is being published, and renames what refers to its fields from outside. */
export async function planMigration(call: Call, version: number, planned: PlannedMigration): Promise<void> {
  const { db, me, params } = call
  const { moves, undoes, decided } = planned
  const id = Number(params.id)
  const sourcesIn = (meta: MetaName) =>
    undoes
      ? [...new Set(undoes.moves[meta].flatMap(({ name, from }) => [name, from]))]
      : sourcesOf(moves[meta])
  const [ofCase, ofIssue] = [sourcesIn('case_meta'), sourcesIn('issue_meta')]
  // Records that store such an answer of another record are moved too.
  const caseSources = [...ofCase, ...ofCase.map((name) => `$last.${name}`)]
  const issueSources = [
    ...ofIssue,
    ...ofIssue.map((name) => `$last.${name}`),
    ...ofCase.map((name) => `$case.${name}`),
  ]
  const { rows } = await sql<{ id: number }>`insert into answer_migrations
      (case_type, version, undoes, case_meta, issue_meta, case_sources, issue_sources, by)
    values (${id}, ${version}, ${undoes?.version ?? null}, ${JSON.stringify(moves.case_meta)}, ${JSON.stringify(moves.issue_meta)},
      ${caseSources}, ${issueSources}, ${me.id}) returning id`.execute(db)
  await storeDecisions(call, rows[0].id, decided)
  await followMoves(db, id, moves)
}

async function storeDecisions({ db, params }: Call, migration: number, decided: Decision[]): Promise<void> {
  if (decided.length === 0) return
  await sql`insert into replaced_answers (migration, "case", issue, decided)
    select ${migration}, k.id, i.id, jsonb_object_agg(d.name, jsonb_build_object('was', d.was, 'is', d.value))
    from jsonb_to_recordset(${JSON.stringify(decided)}::jsonb) as d(entity text, id int, name text, was jsonb, value jsonb)
      left join issues i on d.entity = 'issue' and i.id = d.id
      join cases k on k.id = case d.entity when 'issue' then i."case" else d.id end
    where k.case_type = ${params.id} group by k.id, i.id`.execute(db)
}

function decisionsOf(moves: PlannedMigration['moves'], decided: unknown): Decision[] {
  if (!Array.isArray(decided) || decided.length > MAX_DECISIONS)
    throw fieldProblem({ decided: [`must be a list of at most ${MAX_DECISIONS} values`] })
  return decided.map((one, i) => {
    const { entity, id, name, was, value } = isPlainObject(one) ? one : {}
    const move =
      entity === 'case' || entity === 'issue'
        ? moves[`${entity}_meta`].find((each) => each.name === name)
        : undefined
    if (!move || !Number.isInteger(id) || was === undefined || value === undefined)
      throw fieldProblem({ [`decided.${i}`]: ['must name an answer that is taken over'] })
    if (value !== null && !fitsField(move.is, value, false))
      throw fieldProblem({ [`decided.${i}`]: [`is not an answer to '${move.is.label}'`] })
    return { entity: entity as AnsweredEntity, id: id as number, name: move.name, was, value }
  })
}
