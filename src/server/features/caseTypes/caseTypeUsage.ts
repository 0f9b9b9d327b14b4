import { sql } from 'kysely'
import type { Group } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import type { MetaName, Metas, Usage, UsageWithChoices } from '../../../contract/meta/metaTypes.ts'
import { fieldsByName, placesOf } from '../../../contract/meta/places.ts'
import type { Db, Sql } from '../../core/db.ts'

/** The records with answers to the forms of a case type, under the alias r. */
export const RECORDS: Record<MetaName, (caseType: number) => Sql> = {
  case_meta: (id) => sql`cases r where r.case_type = ${id}`,
  issue_meta: (id) => sql`issues r join cases k on k.id = r."case" where k.case_type = ${id}`,
}

/**
 * Number of records that answer each field of a case type, or each field in `only`, and that chose each choice; hidden
 * answers are included, because they may come back.
 */
export async function answerUsage(
  db: Db,
  caseType: number,
  forms: Metas,
  only?: Record<MetaName, string[]>,
): Promise<Required<UsageWithChoices>> {
  const of = async (meta: MetaName) => {
    const named = only?.[meta]
    if (named?.length === 0) return { answered: {}, chosen: {} }
    const records = named
      ? sql`${RECORDS[meta](caseType)} and (r.answers ?| ${named}::text[] or r.hidden_answers ?| ${named}::text[])`
      : RECORDS[meta](caseType)
    const form = named ? forms[meta].map((group) => fieldsOf(group, named)) : forms[meta]
    const answered = Object.fromEntries(await answersIn(db, records, named))
    return { answered, chosen: await choicesIn(db, records, form) }
  }
  const [cases, issues] = [await of('case_meta'), await of('issue_meta')]
  return {
    case_meta: cases.answered,
    issue_meta: issues.answered,
    choices: { case_meta: cases.chosen, issue_meta: issues.chosen },
  }
}

/** Number of unfinished new cases and issues (staff's drafts) that answer each field of a case type. */
export async function draftUsage(db: Db, caseType: number): Promise<Usage> {
  const document = sql`d.payload->'document'`
  const { rows } = await sql<{
    meta: MetaName
    name: string
    n: number
  }>`select meta, name, count(*)::int as n
    from (
      select 'case_meta' as meta, ${document}#>'{case,answers}' as answers from drafts d
        where d.kind = 'case' and ${document}->>'case_type' = ${String(caseType)}
      union all select 'issue_meta', ${document}#>'{issue,answers}' from drafts d
        where d.kind = 'case' and ${document}->>'case_type' = ${String(caseType)}
      union all select 'issue_meta', ${document}->'answers' from drafts d
        join cases k on k.id::text = substring(d.address from '^/cases/(\\d+)/issues/new')
        where d.kind = 'issue' and k.case_type = ${caseType}
    ) unfinished, jsonb_each(case jsonb_typeof(answers) when 'object' then answers end) answer(name, value)
    where value not in ('null', '""', '[]', '{}') group by meta, name`.execute(db)
  const countsOf = (meta: MetaName) =>
    Object.fromEntries(rows.filter((row) => row.meta === meta).map(({ name, n }) => [name, n]))
  return { case_meta: countsOf('case_meta'), issue_meta: countsOf('issue_meta') }
}

/** Names of the fields of published forms that a change removes or redefines. */
export function changedFields(before: Metas, after: Metas): Record<MetaName, string[]> {
  const changed = (meta: MetaName) => {
    const now = fieldsByName(after[meta])
    return [...fieldsByName(before[meta])]
      .filter(([name, field]) => !isEqual(field, now.get(name)))
      .map(([name]) => name)
  }
  return { case_meta: changed('case_meta'), issue_meta: changed('issue_meta') }
}

function fieldsOf(group: Group, named: string[]): Group {
  return { ...group, fields: group.fields.filter(({ name }) => named.includes(name)) }
}

async function answersIn(db: Db, records: Sql, named?: string[]): Promise<[string, number][]> {
  const isNamed = named ? sql`and name = any(${named}::text[])` : sql``
  const { rows } = await sql<{ name: string; n: number }>`select name, count(*)::int as n
    from (select r.answers || r.hidden_answers as answers from ${records}) a, jsonb_object_keys(a.answers) name where true ${isNamed} group by name`.execute(
    db,
  )
  return rows.map(({ name, n }) => [name, n])
}

/** Number of records by field and choice, for fields with choices of their own; a column is named 'field.column'. */
async function choicesIn(db: Db, records: Sql, form: Group[]) {
  const paths = placesOf(form)
    .filter(({ field }) => field.attrs?.options)
    .map(({ field, repeats }) => [...repeats, field].map(({ name }) => name))
  const withChoices = paths.filter((path) => path.length === 1).map(([name]) => name)
  const columns = paths.filter((path) => path.length > 1)
  const elements = (value: Sql) => sql`jsonb_array_elements(case jsonb_typeof(${value})
    when 'array' then ${value} when 'null' then '[]' else jsonb_build_array(${value}) end)`
  const answers = sql`(select r.id, r.answers, r.hidden_answers from ${records}) a, lateral (
      select key, value from jsonb_each(a.answers)
      union all select key, value -> 'value' from jsonb_each(a.hidden_answers)) f`
  // A record has a choice at most once in a field, but perhaps in several rows of a repeat.
  const ofFields = sql`select f.key as path, v #>> '{}' as value, count(*)::int as n
    from ${answers}, ${elements(sql`f.value`)} v where f.key = any(${withChoices}::text[]) group by 1, 2`
  const [fields, names, places] = [
    columns.map(([field]) => field),
    columns.map((path) => path.join('.')),
    // A jsonpath, in lax mode, unwraps the lists on its way.
    columns.map(([, ...rest]) => `$${rest.map((name) => `.${name}`).join('')}[*]`),
  ]
  const ofColumns = sql`select c.name as path, v #>> '{}' as value, count(distinct a.id)::int as n
    from ${answers} join unnest(${fields}::text[], ${names}::text[], ${places}::jsonpath[]) as c(field, name, place)
      on c.field = f.key, jsonb_path_query(f.value, c.place) v group by 1, 2`
  const queries = [...(withChoices.length > 0 ? [ofFields] : []), ...(columns.length > 0 ? [ofColumns] : [])]
  if (queries.length === 0) return {}
  const { rows } = await sql<{ path: string; value: string; n: number }>`select path, value, n
    from (${sql.join(queries, sql` union all `)}) chosen where value is not null`.execute(db)
  const counts: Record<string, Record<string, number>> = {}
  for (const { path, value, n } of rows) counts[path] = { ...counts[path], [value]: n }
  return counts
}
