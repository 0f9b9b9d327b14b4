import { sql } from 'kysely'
import type { Values } from '../../../contract/when.ts'
import type { Db, Sql } from '../../core/db.ts'
import type { HiddenAnswers } from '../hiddenAnswers/entries.ts'
import { currentAnswers, type MigrationStep } from './currentAnswers.ts'
import {
  ANSWERED,
  type AnsweredEntity,
  type PendingMigration,
  pendingMigrations,
  type SeenAnswers,
} from './pendingMigrations.ts'

/** A record with the migrations that have not reached it; null if its answers are current. */
export interface BehindRecord {
  id: number
  case: number
  answers: Values
  hidden_answers: HiddenAnswers
  answers_seen: SeenAnswers
  pending: PendingMigration[] | null
}

/** Records with answers r that meet a condition, in the order of their ids, with their pending migrations. */
export function recordsBehind(name: AnsweredEntity, where: Sql, rest: Sql): Sql {
  const { table } = ANSWERED[name]
  return sql`select r.id, ${name === 'case' ? sql`r.id` : sql`r."case"`} as "case", r.answers, r.hidden_answers, r.answers_seen,
      ${pendingMigrations(name)} as pending
    from ${sql.table(table)} r where ${where} order by r.id ${rest}`
}

/** Moves the answers of one record that its caller has locked or will change, before anything else reads them. */
export async function moveAnswersOf(db: Db, name: AnsweredEntity, id: number): Promise<void> {
  const { rows } =
    await sql<BehindRecord>`${recordsBehind(name, sql`r.id = ${id}`, sql`for update of r`)}`.execute(db)
  await storeMoved(db, name, rows)
}

/**
 * Stores the moved answers of records and what they replace; returns how many records were behind. Neither the version
 * of a record nor its audit changes: the publication has changed its form, and nobody its answers. As the version stays,
 * no event of an automation fires.
 */
export async function storeMoved(db: Db, name: AnsweredEntity, rows: BehindRecord[]): Promise<number> {
  const behind = rows.filter(({ pending }) => pending !== null)
  if (behind.length === 0) return 0
  const moved = behind.map(({ id, case: caseId, pending, ...stored }) => {
    return { id, case: caseId, version: pending!.at(-1)!.version, ...currentAnswers(stored, pending!) }
  })
  await sql`update ${sql.table(ANSWERED[name].table)} r
    set answers = m.answers, hidden_answers = m.hidden_answers, answers_seen = m.answers_seen, case_type_version = m.version
    from jsonb_to_recordset(${JSON.stringify(moved.map(({ steps: _, ...row }) => row))}::jsonb)
      as m(id int, version int, answers jsonb, hidden_answers jsonb, answers_seen jsonb) where r.id = m.id`.execute(
    db,
  )
  const replaced = moved.flatMap(({ id, case: caseId, steps }) =>
    steps.map((step) => ({ case: caseId, issue: name === 'case' ? null : id, ...rowOf(step) })),
  )
  await sql`insert into replaced_answers (migration, "case", issue, before, after, open)
    select migration, "case", issue, before, after, open from jsonb_to_recordset(${JSON.stringify(replaced)}::jsonb)
      as m(migration int, "case" int, issue int, before jsonb, after jsonb, open jsonb)
    on conflict (migration, coalesce(issue, -"case"))
    do update set before = excluded.before, after = excluded.after, open = excluded.open`.execute(db)
  await sql`update answer_migrations m set moved = moved + n.count
    from jsonb_to_recordset(${JSON.stringify(countsOf(replaced))}::jsonb) as n(migration int, count int)
    where m.id = n.migration`.execute(db)
  return behind.length
}

function rowOf({ migration, before, after, open }: MigrationStep) {
  return { migration, before, after, open: Object.keys(open).length > 0 ? open : null }
}

/** Number of records whose answers each migration moves, without those of which only values from outside change. */
function countsOf(
  replaced: Pick<MigrationStep, 'migration' | 'before'>[],
): { migration: number; count: number }[] {
  const counts = new Map<number, number>()
  const isAnswered = ({ before: { answers, hidden } }: Pick<MigrationStep, 'before'>) =>
    Object.keys(answers).length + Object.keys(hidden).length > 0
  for (const { migration } of replaced.filter(isAnswered))
    counts.set(migration, (counts.get(migration) ?? 0) + 1)
  return [...counts].map(([migration, count]) => ({ migration, count }))
}
