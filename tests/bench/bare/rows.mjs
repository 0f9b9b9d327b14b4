import { readFileSync } from 'node:fs'
import { createQueryId, PostgresQueryCompiler } from 'kysely'
import { fromSource } from '../fromSource.mjs'

const COUNTED = 10_000

const { SETTINGS } = await fromSource('src/server/core/settingsSchema.ts')

/** An administrator, as whom the yardsticks read. */
const ADMINISTRATOR = {
  id: 0,
  groups: [1],
  hub: null,
  services: [],
  contracts: [],
  team: [0],
  oldCaseDays: SETTINGS.OLD_CASE_DAYS.default,
}

const { columnsOf: columnsFor } = await fromSource('src/server/records/query/columns.ts')
const compiler = new PostgresQueryCompiler()

/**
 * The columns that the product reads of an entity, of the alias r.
 * @param {string} name
 * @returns {string[]}
 */
export function columnsOf(name) {
  const entity = JSON.parse(readFileSync(`schemas/entities/${name}.json`, 'utf8'))
  return Object.entries(entity.properties).map(([property, schema]) => {
    const column = columnsFor({ ...entity, properties: { [property]: schema } }, ADMINISTRATOR)
    const { sql, parameters } = compiler.compileQuery(column.toOperationNode(), createQueryId())
    return sql.replaceAll(/\$(\d+)/g, (_, n) => literal(parameters[n - 1]))
  })
}

function literal(value) {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = Array.isArray(value) ? `{${value.join(',')}}` : value
  return `'${text.replaceAll("'", "''")}'`
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
