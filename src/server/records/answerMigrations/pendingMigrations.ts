import { sql } from 'kysely'
import type { AnswerMove } from '../../../contract/answerMigration/answerMoves.ts'
import type { Values } from '../../../contract/when.ts'
import type { Sql } from '../../core/db.ts'
import type { HiddenAnswers } from '../hiddenAnswers/entries.ts'

export type AnsweredEntity = 'case' | 'issue'

/** A value from outside that a record was filled in with, and the fields of the record that follow from it. */
type SeenAnswer = { value: unknown; follows?: string[] }
export type SeenAnswers = Record<string, SeenAnswer>

/** Some answers of a record: those that count, the hidden ones, and the stored values of other records' answers. */
export interface TouchedAnswers {
  answers: Values
  hidden: HiddenAnswers
  seen?: SeenAnswers
}

/** A migration that has not reached a record yet. */
export interface PendingMigration {
  id: number
  version: number
  undoes: number | null
  moves: AnswerMove[]
  /** The moves of the form of the case, which an issue may have seen; null for a case. */
  of_case: AnswerMove[] | null
  /** The moves that it takes back. */
  undone: AnswerMove[] | null
  undone_of_case: AnswerMove[] | null
  /** Values that somebody chose for the record, by the new names, with the answers that they are for. */
  decided: Record<string, { was: unknown; is: unknown }> | null
  /** What the migration that it takes back replaced in the record. */
  replaced: { before: TouchedAnswers; after: TouchedAnswers } | null
}

/** The alias of records with answers in a query. */
const R = sql`r`

interface Answered {
  table: string
  /** Of a migration m: its moves of the form, and the names under which these find answers. */
  moves: Sql
  sources: Sql
  caseType: (r: Sql) => Sql
  /** True for a row of replaced_answers that belongs to the record. */
  isOf: (r: Sql, row: Sql) => Sql
}

/** What migrations look at of the records of an entity. */
export const ANSWERED: Record<AnsweredEntity, Answered> = {
  case: {
    table: 'cases',
    moves: sql`m.case_meta`,
    sources: sql`m.case_sources`,
    caseType: (r) => sql`${r}.case_type`,
    isOf: (r, row) => sql`${row}."case" = ${r}.id and ${row}.issue is null`,
  },
  issue: {
    table: 'issues',
    moves: sql`m.issue_meta`,
    sources: sql`m.issue_sources`,
    caseType: (r) => sql`(select k.case_type from cases k where k.id = ${r}."case")`,
    isOf: (r, row) => sql`${row}.issue = ${r}.id`,
  },
}

export function isAnswered(name: string): name is AnsweredEntity {
  return Object.hasOwn(ANSWERED, name)
}

/** True for a record with answers that a migration has not moved yet. */
function isBehind(name: AnsweredEntity, r: Sql): Sql {
  const { caseType, sources } = ANSWERED[name]
  return sql`exists (select from answer_migrations m
    where m.case_type = ${caseType(r)} and m.version > ${r}.case_type_version
      and ${hasAny(r, sources)})`
}

/** True for a record with answers, hidden answers or values from outside of some names. */
export function hasAny(r: Sql, names: Sql): Sql {
  return sql`(${r}.answers ?| ${names} or ${r}.hidden_answers ?| ${names} or ${r}.answers_seen ?| ${names})`
}

/** True for a record r whose answers have the names and values of the published form. */
export function isCurrent(name: AnsweredEntity): Sql {
  return sql`not ${isBehind(name, R)}`
}

/** The migrations that have not reached a record, oldest first, as JSON; null if its answers are current. */
export function pendingMigrations(name: AnsweredEntity, r = R): Sql {
  const { moves, caseType, isOf } = ANSWERED[name]
  const undone = sql`f.${sql.ref(`${name}_meta`)}`
  const ofCase = (migration: Sql) => (name === 'issue' ? sql`${migration}.case_meta` : sql`null`)
  const replaced = sql`(select jsonb_build_object('before', p.before, 'after', p.after) from replaced_answers p
    where p.migration = f.id and ${isOf(r, sql`p`)} and p.before is not null)`
  const decided = sql`(select d.decided from replaced_answers d where d.migration = m.id and ${isOf(r, sql`d`)})`
  return sql`case when ${isBehind(name, r)} then (
    select jsonb_agg(jsonb_build_object('id', m.id, 'version', m.version, 'undoes', m.undoes, 'moves', ${moves},
        'of_case', ${ofCase(sql`m`)}, 'undone', ${undone}, 'undone_of_case', ${ofCase(sql`f`)}, 'replaced', ${replaced}, 'decided', ${decided}) order by m.version)
    from answer_migrations m left join answer_migrations f on f.case_type = m.case_type and f.version = m.undoes
    where m.case_type = ${caseType(r)} and m.version > ${r}.case_type_version) end`
}
