import { sql } from 'kysely'
import {
  type AnswerMigration,
  migrationsSince,
  translateAnswers,
} from '../../../contract/answerMigration/translateAnswers.ts'
import type { Values } from '../../../contract/when.ts'
import type { Db } from '../../core/db.ts'
import type { Changes, RecordedChange } from '../audit/audit.ts'
import type { AnsweredEntity } from './pendingMigrations.ts'

type DatedMigration = AnswerMigration & { at: Date }

/** Translates the changes of answers that the audit has at a moment to today's names and values. */
export type TranslateChanges = (changes: Changes, at: string | Date) => Changes

/** The translation for the answers of a record; changes of forms that nothing has renamed stay as they are. */
export async function changeTranslation(
  db: Db,
  name: AnsweredEntity,
  record: unknown,
): Promise<TranslateChanges> {
  const caseId = name === 'case' ? record : sql`(select "case" from issues where id = ${record})`
  const { rows } = await sql<DatedMigration>`select version, undoes, case_meta, issue_meta, at
    from answer_migrations where case_type = (select case_type from cases where id = ${caseId}) order by version`.execute(
    db,
  )
  const meta = `${name}_meta` as const
  return (changes, at) => {
    const since = migrationsSince(
      rows.filter((one) => one.at > new Date(at)),
      0,
    )
    return since.length === 0
      ? changes
      : translated(changes, (answers) =>
          since.reduce((now, one) => translateAnswers(now, one[meta]).answers, answers),
        )
  }
}

/** The same for the changes of several saves. */
export function translateRecorded(changes: RecordedChange[], translate: TranslateChanges): RecordedChange[] {
  return changes.map((change) => ({ ...change, fields: translate(change.fields, change.at) }))
}

function translated(changes: Changes, translate: (answers: Values) => Values): Changes {
  const entries = Object.entries(changes).flatMap(([path, change]) => {
    const [, root, name] = path.match(/^((?:hidden_)?answers)[.](.+)$/) ?? []
    if (name === undefined) return [[path, change] as const]
    const [from, to] = [translate({ [name]: change.from }), translate({ [name]: change.to })]
    const names = new Set([...Object.keys(from), ...Object.keys(to)])
    return [...names].map(
      (now) => [`${root}.${now}`, { ...change, from: from[now] ?? null, to: to[now] ?? null }] as const,
    )
  })
  return Object.fromEntries(entries)
}
