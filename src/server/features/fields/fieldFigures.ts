import { sql } from 'kysely'
import type { Db, Sql } from '../../core/db.ts'
import { storedUsage } from '../caseTypes/answerCounts.ts'
import { RECORDS } from '../caseTypes/caseTypeUsage.ts'
import type { FoundField } from './findField.ts'

/** Maximum number of records that one call reads, the newest ones. */
const MAX_RECORDS = 20_000
/** Maximum number of choices whose counts are returned. */
const MAX_CHOICES = 2000

/** How the records of a case type answer a field. */
export interface FieldFigures {
  /** Number of records, and of those with an answer. */
  records: number
  answered: number
  /**
   * Of the records that were read, the number with open work, the answered ones of these, and the answered ones of all.
   */
  open: number
  open_answered: number
  read_answered: number
  /** Number of rows around a column, and of those in which it is answered. */
  rows: number
  rows_answered: number
  /** Day on which the newest record with an answer was added. */
  last_used: string | null
  /** Number of records that have each choice, by its stored value. */
  chosen: Record<string, number>
  /** Number of records that were read, the newest ones; fewer than `records` if there are very many. */
  read: number
}

const IS_OPEN: Record<FoundField['form'], Sql> = {
  case: sql`(r.open_issues > 0 or r.issue_count = 0)`,
  issue: sql`r.is_opened`,
}

/** The figures of a field, in one statement; values of answers without choices are not read out. */
export async function fieldFigures(db: Db, found: FoundField, withChoices: boolean): Promise<FieldFigures> {
  const { rows } = await figuresQuery(found, withChoices, await movingNames(db, found)).execute(db)
  const figures = rows[0]
  if (figures.read < MAX_RECORDS)
    return { ...figures, records: figures.read, answered: figures.read_answered }
  // Triggers count all records exactly; without their counts, the records that were read stand for all.
  const usage = await storedUsage(db, found.type.id)
  const counts = usage && {
    records: found.form === 'case' ? usage.cases : usage.issues,
    ...(found.storedKey.includes('.') ? {} : { answered: usage[found.meta][found.storedKey] ?? 0 }),
    ...(found.field.attrs?.options && { chosen: usage.choices[found.meta][found.storedKey] ?? {} }),
  }
  return { ...figures, records: figures.read, answered: figures.read_answered, ...counts }
}

/** The names under which records have the answers of a field that a publication has renamed, until they are moved. */
async function movingNames(db: Db, { type, meta, storedKey }: FoundField): Promise<string[]> {
  const [name] = storedKey.split('.', 1)
  const { rows } = await sql<{ from: string }>`select move ->> 'from' as "from"
    from answer_migrations m, jsonb_array_elements(m.${sql.ref(meta)}) move
    where m.case_type = ${type.id} and m.state = 'moving' and move ->> 'name' = ${name}`.execute(db)
  return rows.map(({ from }) => from)
}

/** The statement of the figures of the newest records of a case type. */
function figuresQuery(
  { type, form, meta, storedKey }: FoundField,
  withChoices: boolean,
  movingNames: string[],
) {
  const [name, ...columns] = storedKey.split('.')
  const stored = [name, ...movingNames].flatMap((one) => [
    sql`r.answers -> ${one}`,
    sql`r.hidden_answers -> ${one} -> 'value'`,
  ])
  // In lax mode a path goes into lists on its way.
  const path = (names: string[]) => `$${names.map((column) => `[*]."${column}"`).join('')}`
  const values =
    columns.length > 0 ? sql`jsonb_path_query(n.answer, ${path(columns)}::jsonpath)` : sql`(select n.answer)`
  const rowsAround = columns.length > 0 ? `${path(columns.slice(0, -1))}[*]` : undefined
  const numberOfRows = rowsAround
    ? sql`(select count(*) from jsonb_path_query(n.answer, ${rowsAround}::jsonpath))`
    : sql`0`
  const chosen = withChoices
    ? sql`(select jsonb_object_agg(value, count) from (
        select v #>> '{}' as value, count(distinct c.id)::int as count
        from cells c, jsonb_array_elements(case jsonb_typeof(c.value) when 'array' then c.value
          else jsonb_build_array(c.value) end) v
        where jsonb_typeof(v) in ('string', 'number', 'boolean')
        group by 1 order by 2 desc, 1 limit ${sql.lit(MAX_CHOICES)}) counts)`
    : sql`null`
  return sql<FieldFigures>`with newest as materialized (
      select r.id, r.created_at, ${IS_OPEN[form]} as is_open,
        coalesce(${sql.join(stored)}) as answer
      from ${RECORDS[meta](type.id)} order by r.id desc limit ${sql.lit(MAX_RECORDS)}
    ), cells as materialized (
      select n.id, n.created_at, n.is_open, c.value
      from newest n, lateral ${values} as c(value) where is_answered(c.value)
    ), answered as (
      select id, is_open, created_at, count(*) as cells from cells group by id, is_open, created_at
    )
    select count(*)::int as read,
      count(*) filter (where n.is_open)::int as open,
      (select count(*)::int from answered) as read_answered,
      (select count(*)::int from answered a where a.is_open) as open_answered,
      (select to_char(max(a.created_at), 'YYYY-MM-DD') from answered a) as last_used,
      coalesce(sum(${numberOfRows}), 0)::int as rows,
      coalesce((select sum(a.cells) from answered a), 0)::int as rows_answered,
      coalesce(${chosen}, '{}') as chosen
    from newest n`
}
