import { sql } from 'kysely'
import { type AnswerMigration, translateSince } from '../../../contract/answerMigration/translateAnswers.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import type { Values } from '../../../contract/when.ts'
import type { Db } from '../../core/db.ts'

/** The migrations of a case type after a version, oldest first. */
export async function answerMigrationsSince(
  db: Db,
  caseType: unknown,
  version: number,
): Promise<AnswerMigration[]> {
  const { rows } =
    await sql<AnswerMigration>`select version, undoes, case_meta, issue_meta from answer_migrations
    where case_type = ${caseType} and version > ${version} order by version`.execute(db)
  return rows
}

interface Form {
  caseType: number
  which: MetaName
  version: number
}

/** Answers to an earlier version of a form by the names and values of the published one. */
export async function translateSent(
  db: Db,
  { caseType, which, version }: Form,
  sent: Values,
  formVersion: unknown,
): Promise<Values> {
  if (typeof formVersion !== 'number' || formVersion >= version) return sent
  const migrations = await answerMigrationsSince(db, caseType, formVersion)
  return translateSince(sent, migrations, { version: formVersion, meta: which })
}
