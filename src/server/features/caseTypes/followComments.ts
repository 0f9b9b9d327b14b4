import { sql } from 'kysely'
import { followedFields } from '../../../contract/caseType/followedFields.ts'
import { plainLabel } from '../../../contract/filledTexts.ts'
import { placedOf } from '../../../contract/meta/impactPlaces.ts'
import type { Metas } from '../../../contract/meta/metaTypes.ts'
import type { FieldComment } from '../../../contract/types/entities.ts'
import type { Call } from '../../core/call.ts'

type Commented = Pick<FieldComment, 'form' | 'field' | 'label'>

/**
 * Gives the comments of the path's case type the new names and labels of their fields, before the forms of the draft,
 * or those that are published, become `after`.
 */
export async function followComments({ db, params }: Call, after: Metas): Promise<void> {
  const { rows } = await sql<Commented>`select distinct form, field, label from field_comments
    where case_type = ${params.id}`.execute(db)
  if (rows.length === 0) return
  const forms = await sql<Metas>`select coalesce(d.case_meta, t.case_meta) as case_meta,
      coalesce(d.issue_meta, t.issue_meta) as issue_meta
    from case_types t left join case_type_drafts d on d.case_type = t.id where t.id = ${params.id}`.execute(
    db,
  )
  const moves = movesOf(rows, forms.rows[0], after)
  if (moves.length === 0) return
  await sql`update field_comments c set field = m."to", label = m.now, version = c.version + 1
    from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as m(form text, field text, label text, "to" text, now text)
    where c.case_type = ${params.id} and (c.form, c.field, c.label) = (m.form, m.field, m.label)`.execute(db)
}

/** The new names and labels of commented fields; fields that stay as they are are left out. */
function movesOf(commented: Commented[], before: Metas, after: Metas) {
  return (['case', 'issue'] as const).flatMap((form) => {
    const rows = commented.filter((row) => row.form === form)
    if (rows.length === 0) return []
    const followed = followedFields(before[`${form}_meta`], after[`${form}_meta`])
    const placed = placedOf(after[`${form}_meta`])
    return rows.flatMap(({ field, label }) => {
      const to = followed.get(field) ?? field
      const place = placed.get(to)
      const now = place ? plainLabel(place.field.label) : label
      return to === field && now === label ? [] : [{ form, field, label, to, now }]
    })
  })
}
