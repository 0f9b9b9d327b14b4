import { readFileSync } from 'node:fs'

const COUNTED = 10_000

const IS_OPEN = '(k.open_issues > 0 or k.issue_count = 0)'
const IS_CLOSED = '(k.open_issues = 0 and k.issue_count > 0)'
/** What the product computes for an administrator. */
const COMPUTED = {
  open_cases: casesThat(IS_OPEN),
  closed_cases: casesThat(IS_CLOSED),
  open_case_count: `(select count(*) from cases k where k.client = r.id and k.status = 1 and ${IS_OPEN} and true)`,
  notice: 'null',
}

function casesThat(condition) {
  return `(select coalesce(json_agg(json_build_object('id', k.id, 'case_type_label', t.label, 'service_label', s.label,
      'status', k.status, 'start_date', (select min(i.start_date) from issues i where i."case" = k.id)) order by k.id desc), '[]')
    from cases k join case_types t on t.id = k.case_type left join lookup s on s.kind = 'services' and s.value = k.service
    where k.client = r.id and k.status = 1 and ${condition} and true)`
}

function openTasksOf(entity) {
  return `(select count(*) from tasks t where t."${entity}" = r.id and t.done_at is null and true)`
}

/** The columns that the product reads of an entity, of the alias r. */
export function columnsOf(entity) {
  const { properties } = JSON.parse(readFileSync(`schemas/entities/${entity}.json`, 'utf8'))
  return Object.keys(properties).map((name) => {
    const computed = name === 'open_tasks' ? openTasksOf(entity) : properties[name].computed && COMPUTED[name]
    return computed ? `${computed} as "${name}"` : `r."${name}"`
  })
}

/**
 * A page as the product's lists answer it; `where` is of the alias r, and its parameters are `values`.
 * @param {import('pg').Pool} pool
 * @param {{from: string, columns: string[], where?: string, values?: unknown[], order?: string}} list
 * @param {{p?: number, page_size?: number}} query
 */
export async function page(
  pool,
  { from, columns, where = 'true', values = [], order = 'r.id desc' },
  { p = 1, page_size = 10 },
) {
  const size = Number(page_size)
  const n = values.length
  const { rows } = await pool.query(
    `select (select count(*) as n from (select from ${from} r where ${where} limit $${n + 3}) capped) as "#count", ${columns}
      from ${from} r where r.id = any(array(
        select r.id as id from ${from} r where ${where} order by ${order} limit $${n + 1} offset $${n + 2}
      )) order by ${order}`,
    [...values, size, (p - 1) * size, COUNTED + 1],
  )
  const found = Number(rows[0]?.['#count'] ?? 0)
  const data = rows.map(({ '#count': _, ...row }) => row)
  const count = Math.min(found, COUNTED)
  const pagination = {
    p: Number(p),
    page_size: size,
    count,
    more: found > COUNTED,
    num_pages: Math.max(1, Math.ceil(count / size)),
  }
  return { data, pagination }
}

/**
 * Writes down who did what; `request` is its id.
 * @param {{query: import('pg').ClientBase['query']}} db
 * @param {{me: {id: number}, action: string, entity: string, record?: number, version?: number, changes?: object, request: string}} event
 */
export function note(db, { me, action, entity, record, version, changes, request }) {
  return db.query(
    'insert into audit (staff, action, entity, record, version, changes, request) values ($1, $2, $3, $4, $5, $6, $7)',
    [me.id, action, entity, record, version, changes && JSON.stringify(changes), request],
  )
}
