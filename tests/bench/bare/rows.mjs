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
  const [{ rows: data }, { rows: counts }] = await Promise.all([
    pool.query(
      `select ${columns} from (
          select r.id as id from ${from} r where ${where} order by ${order} limit $${n + 1} offset $${n + 2}
        ) page join ${from} r on r.id = page.id order by ${order}`,
      [...values, size, (p - 1) * size],
    ),
    pool.query(`select count(*) as n from (select 1 from ${from} r where ${where} limit $${n + 1}) capped`, [
      ...values,
      COUNTED + 1,
    ]),
  ])
  const count = Math.min(counts[0].n, COUNTED)
  const pagination = {
    p: Number(p),
    page_size: size,
    count,
    more: counts[0].n > COUNTED,
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
