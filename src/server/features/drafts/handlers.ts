import { translateSince } from '../../../contract/answerMigration/translateAnswers.ts'
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
  const { document, metas } = (draft.payload ?? {}) as Values
  const places = ANSWERS[draft.kind] ?? []
  if (!isPlainObject(document) || !isPlainObject(metas) || places.length === 0) return draft
  const begun = Object.values(metas).find((one) => isPlainObject(one) && Number.isInteger(one.id))
  if (!isPlainObject(begun)) return draft
  const translated = await translatedDocument(call.db, document, places, begun)
  return { ...draft, payload: { ...draft.payload, document: translated } }
}

async function translatedDocument(
  db: Db,
  document: Values,
  places: [path: string[], meta: MetaName][],
  { id, version, since = version }: Values,
): Promise<Values> {
  const migrations = await answerMigrationsSince(db, id, Number(since) || 0)
  if (migrations.length === 0) return document
  return places.reduce(
    (now, [path, meta]) =>
      changedAt(now, path, (answers) =>
        translateSince(answers, migrations, { version: Number(since), meta }),
      ),
    document,
  )
}

/** Changes the object at a path, if there is one. */
function changedAt(values: Values, [head, ...rest]: string[], change: (at: Values) => Values): Values {
  const at = values[head]
  if (!isPlainObject(at)) return values
  return { ...values, [head]: rest.length > 0 ? changedAt(at, rest, change) : change(at) }
}
