import { sql } from 'kysely'
import { type AnswerCondition, readAnswers, writeAnswers } from '../../../contract/answerFilter.ts'
import { type AnswerMove, movesBySource } from '../../../contract/answerMigration/answerMoves.ts'
import { convertAnswer } from '../../../contract/answerMigration/convertAnswer.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import type { Db } from '../../core/db.ts'

type Moves = Record<MetaName, AnswerMove[]>

/**
 * Renames the fields that saved views search by and that columns of uploads are for. Answers that several fields take
 * have no single new name: these stay as they are.
 */
export async function followMoves(db: Db, caseType: number, moves: Moves): Promise<void> {
  await followInViews(db, caseType, moves)
  await followInUploads(db, caseType, moves)
}

async function followInViews(db: Db, caseType: number, moves: Moves): Promise<void> {
  const { rows } = await sql<{ id: number; key: string; text: string }>`select v.id, q.key, q.value as text
    from saved_views v, jsonb_each_text(v.query) q where q.value ~ ${`(^|[*])${caseType}[.](case|issue)[.]`}
    order by v.id for update of v`.execute(db)
  for (const { id, key, text } of rows) {
    const read = readAnswers(text)
    if (typeof read === 'string') continue
    const followed = writeAnswers(
      read.map((one) => (one.caseType === caseType ? followedCondition(one, moves) : one)),
    )
    if (followed === text) continue
    await sql`update saved_views set query = query || jsonb_build_object(${key}::text, ${followed}::text) where id = ${id}`.execute(
      db,
    )
  }
}

/** A condition of a search by the name of the field that takes the answers, and by its values. */
export function followedCondition(condition: AnswerCondition, moves: Moves): AnswerCondition {
  const move = onlyMove(moves[`${condition.form}_meta`], condition.field)
  if (!move) return condition
  const values =
    condition.operator === 'is'
      ? condition.values.flatMap((value) => followedValues(value, move))
      : condition.values
  return {
    ...condition,
    field: move.name,
    values: values.length > 0 ? [...new Set(values)] : condition.values,
  }
}

function followedValues(written: string, move: AnswerMove): string[] {
  const { was } = move
  const stored = was.attrs?.options?.find(({ value }) => String(value) === written)?.value ?? written
  const converted = convertAnswer(stored, move)
  if (!converted) return [written]
  if (converted.value === undefined) return []
  return Array.isArray(converted.value) ? converted.value.map(String) : [String(converted.value)]
}

function onlyMove(moves: AnswerMove[], from: string): AnswerMove | undefined {
  const sharing = movesBySource(moves).get(from) ?? []
  return sharing.length === 1 ? sharing[0] : undefined
}

async function followInUploads(db: Db, caseType: number, moves: Moves): Promise<void> {
  const renamed = (['case', 'issue'] as const).flatMap((form) =>
    [...movesBySource(moves[`${form}_meta`])].flatMap(([from, [{ name }, ...others]]) =>
      others.length > 0 || name === from ? [] : [[`${form}.answers.${from}`, `${form}.answers.${name}`]],
    ),
  )
  if (renamed.length === 0) return
  const [from, to] = [renamed.map(([old]) => old), renamed.map(([, name]) => name)]
  // A part of a contact has a column of its own ('case.answers.gp.phone').
  await sql`update bulk_uploads u set mapping = (
      select jsonb_object_agg(m.key, coalesce(n.new || substr(m.value, length(n.old) + 1), m.value))
      from jsonb_each_text(u.mapping) m
        left join unnest(${from}::text[], ${to}::text[]) as n(old, new) on m.value = n.old or starts_with(m.value, n.old || '.'))
    where u.case_type = ${caseType} and exists (select from jsonb_each_text(u.mapping) m, unnest(${from}::text[]) as n(old)
      where m.value = n.old or starts_with(m.value, n.old || '.'))`.execute(db)
}
