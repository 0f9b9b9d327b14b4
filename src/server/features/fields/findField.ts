import { sql } from 'kysely'
import type { Field, Group } from '../../../contract/generated.ts'
import { type Placed, placedOf } from '../../../contract/meta/impactPlaces.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import type { CaseType, FormField } from '../../../contract/types/entities.ts'
import type { Call } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { fetch } from '../../records/verbs/read.ts'
import { caseTypeDraftOf } from '../caseTypes/caseTypeDraft.ts'
import { type CaseTypeParts, NO_PARTS, partsOf } from '../caseTypes/caseTypeParts.ts'

export type RecordForm = 'case' | 'issue'

/** A field or column of a form of the path's case type. */
export interface FoundField {
  type: CaseType
  form: RecordForm
  meta: MetaName
  /** Its stored name after those of the repeats around it ('family.phone'), in the draft if there is one. */
  key: string
  /** The key under which records have answers: in a draft, a field may have been given another name. */
  storedKey: string
  field: Field
  /** The labels of the group and the repeats around it. */
  place: string[]
  state: FormField['state']
  /** The draft, or the published parts if there is none. */
  parts: CaseTypeParts
}

/** Name of a field, and at most two of columns in it. */
const KEY = /^[a-z][a-z0-9_]{0,62}(\.[a-z][a-z0-9_]{0,62}){0,2}$/

/**
 * The field that the path names: in the draft, in the published form, or in the last version that had it; else a 404.
 */
export async function findField(call: Call): Promise<FoundField> {
  const { params, contract } = call
  const [form, key] = [String(params.form), String(params.field)]
  if ((form !== 'case' && form !== 'issue') || !KEY.test(key)) throw problem('notFound')
  const type = await fetch(call, contract.entities.caseType, params.id)
  const meta: MetaName = `${form}_meta`
  const draft = await caseTypeDraftOf(call)
  const hasDraft = draft.rev > 0
  const parts = { ...NO_PARTS, ...partsOf(hasDraft ? draft : type) }
  const [now, published] = [placedOf(parts[meta]), placedOf(type[meta])]
  const found = { type, form, meta, key, parts } as const
  const place = now.get(key) ?? [...now.values()].find((one) => takenKey(one) === key)
  if (place) {
    const storedKey = takenKey(place)
    const isOld = published.has(storedKey)
    const state = isOld ? (place.isOn ? 'used' : 'off') : 'new'
    return { ...found, ...placed(place), key: place.key, storedKey, state }
  }
  const before = published.get(key)
  if (before) return { ...found, ...placed(before), storedKey: key, state: 'leaving' }
  const last = await lastVersionWith(call, meta, key)
  if (!last) throw problem('notFound')
  return { ...found, ...placed(last), storedKey: key, state: 'left' }
}

function placed({ field, group, repeats }: Placed) {
  return { field, place: [group, ...repeats].map(({ label }) => label) }
}

/** The key of the published field whose answers a field of a draft takes over; columns keep their names. */
function takenKey({ key, field, repeats }: Placed): string {
  return repeats.length === 0 ? (field.attrs?.takes?.from ?? key) : key
}

async function lastVersionWith({ db, params }: Call, meta: MetaName, key: string) {
  const [name] = key.split('.', 1)
  const { rows } = await sql<{ groups: Group[] }>`select ${sql.ref(meta)} as groups from case_type_versions
    where case_type = ${params.id} and ${sql.ref(meta)} @> ${JSON.stringify([{ fields: [{ name }] }])}::jsonb
    order by version desc limit 1`.execute(db)
  return rows[0] && placedOf(rows[0].groups).get(key)
}
