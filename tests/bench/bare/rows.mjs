import { readFileSync } from 'node:fs'

const COUNTED = 10_000

/** The columns that the product reads of an entity, of the alias r. */
export function columnsOf(entity) {
  const { properties } = JSON.parse(readFileSync(`schemas/entities/${entity}.json`, 'utf8'))
  return Object.keys(properties).map((name) => `r."${name}"`)
}

/** A page as the product's lists answer it; `where` is of the alias r, and its parameters are `values`. */
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

/** Writes down who did what; `request` is its id. */
export function note(db, { me, action, entity, record = null, version = null, changes = null, request }) {
  return db.query(
    'insert into audit (staff, action, entity, record, version, changes, request) values ($1, $2, $3, $4, $5, $6, $7)',
    [me.id, action, entity, record, version, changes && JSON.stringify(changes), request],
  )
}
