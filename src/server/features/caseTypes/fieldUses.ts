import { sql } from 'kysely'
import { readAnswers } from '../../../contract/answerFilter.ts'
import type { TypeUses } from '../../../contract/caseType/fieldUses.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Db } from '../../core/db.ts'

const META: Record<string, MetaName> = { case: 'case_meta', issue: 'issue_meta' }
/** Maximum number of saved views that are read. */
const MAX_VIEWS = 5000

/**
 * What refers to the fields of a case type: saved views, also those of one person, columns of uploads, public forms.
 */
export async function fieldUses(db: Db, caseType: number): Promise<TypeUses> {
  return {
    views: await viewsOf(db, caseType),
    uploads: await uploadsOf(db, caseType),
    publicForms: await publicFormsOf(db, caseType),
  }
}

async function viewsOf(db: Db, caseType: number): Promise<TypeUses['views']> {
  const { rows } = await sql<{ texts: string[] }>`select array_agg(q.value) as texts
    from saved_views v, jsonb_each_text(v.query) q where q.value ~ ${`(^|[*])${caseType}[.](case|issue)[.]`}
    group by v.id limit ${MAX_VIEWS}`.execute(db)
  const counts = nothing()
  for (const { texts } of rows) {
    const conditions = texts.flatMap((text) => {
      const read = readAnswers(text)
      return typeof read === 'string' ? [] : read
    })
    const named = conditions.filter((one) => one.caseType === caseType)
    for (const key of new Set(named.map(({ form, field }) => `${form}.${field}`))) add(counts, key)
  }
  return counts
}

async function uploadsOf(db: Db, caseType: number): Promise<TypeUses['uploads']> {
  // A part of a contact has a column of its own ('case.answers.gp.phone').
  const { rows } = await sql<{ key: string; n: number }>`
    select split_part(m.value, '.', 1) || '.' || split_part(m.value, '.', 3) as key, count(distinct u.hub)::int as n
    from bulk_uploads u, jsonb_each_text(u.mapping) m
    where u.case_type = ${caseType} and m.value ~ '^(case|issue)[.]answers[.]' group by 1`.execute(db)
  const counts = nothing()
  for (const { key, n } of rows) add(counts, key, Math.max(1, n))
  return counts
}

async function publicFormsOf(db: Db, caseType: number): Promise<number> {
  const route = JSON.stringify([{ case_type: caseType }])
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from referral_forms
    where status = ${sql.lit(STATUS.active)} and (case_type = ${caseType} or routes @> ${route}::jsonb)`.execute(
    db,
  )
  return rows[0].n
}

function nothing(): TypeUses['views'] {
  return { case_meta: {}, issue_meta: {} }
}

function add(counts: TypeUses['views'], key: string, by = 1): void {
  const [form, field] = key.split('.')
  const ofForm = counts[META[form]]
  ofForm[field] = (Object.hasOwn(ofForm, field) ? ofForm[field] : 0) + by
}
