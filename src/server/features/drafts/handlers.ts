import { sql } from 'kysely'
import { type AnswerMigration, translateSince } from '../../../contract/answerMigration/translateAnswers.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import { isPlainObject, type Values } from '../../../contract/when.ts'
import type { Handler } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { answerMigrationsSince } from '../../records/answerMigrations/translateSent.ts'
import { read as readRecord } from '../../records/verbs/read.ts'

/** Where drafts of new records have answers, and of which form, by their kind. */
const ANSWERS: Record<string, [path: string[], meta: MetaName][]> = {
  case: [
    [['case', 'answers'], 'case_meta'],
    [['issue', 'answers'], 'issue_meta'],
  ],
  issue: [[['answers'], 'issue_meta']],
}

/** One draft, with its answers by the names and values that the published form has for them. */
export const read: Handler = async (call) => {
  const draft = await readRecord(call, call.contract.entities.draft)
  const { document, metas } = draft.payload as Values
  const places = ANSWERS[draft.kind] ?? []
  if (!isPlainObject(document) || !isPlainObject(metas) || places.length === 0) return draft
  const [name, begun] =
    Object.entries(metas).find(([, one]) => isPlainObject(one) && Number.isInteger(one.id)) ?? []
  const form = begun ?? (await unopened(call.db, draft.id, document.case_type))
  if (!isPlainObject(form)) return draft
  const { id, version, since = version, names = since } = form
  const migrations = await answerMigrationsSince(call.db, id, Number(names) || 0)
  if (migrations.length === 0) return draft
  return {
    ...draft,
    payload: {
      ...draft.payload,
      document: translatedDocument(document, places, migrations, Number(names)),
      // From here on its answers have the names of this version, also when the wizard saves it.
      ...(name && { metas: { ...metas, [name]: { ...form, names: migrations.at(-1)!.version } } }),
    },
  }
}

/** The form of a draft that no wizard has saved yet: the one that was published when a referral became the draft. */
async function unopened(db: Db, draft: number, caseType: unknown): Promise<Values | undefined> {
  if (!Number.isInteger(caseType)) return undefined
  const { rows } = await sql<Values>`select v.case_type as id, max(v.version) as version
    from drafts d join case_type_versions v on v.case_type = ${caseType} and v.at <= d.created_at
    where d.id = ${draft} group by v.case_type`.execute(db)
  return rows[0]
}

function translatedDocument(
  document: Values,
  places: [path: string[], meta: MetaName][],
  migrations: AnswerMigration[],
  version: number,
): Values {
  return places.reduce(
    (now, [path, meta]) =>
      changedAt(now, path, (answers) => translateSince(answers, migrations, { version, meta })),
    document,
  )
}

/** Changes the object at a path, if there is one. */
function changedAt(values: Values, [head, ...rest]: string[], change: (at: Values) => Values): Values {
  const at = values[head]
  if (!isPlainObject(at)) return values
  return { ...values, [head]: rest.length > 0 ? changedAt(at, rest, change) : change(at) }
}
