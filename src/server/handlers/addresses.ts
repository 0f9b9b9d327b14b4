import { sql } from 'kysely'
import type { Handler } from '../call.ts'

/** Addresses of a postcode from the bundled table; an unknown one has none. */
export const byPostcode: Handler = async ({ db, query }) => {
  const { rows } = await sql`select attrs ->> 'id' as value, label from lookup
    where kind = 'address_from_postcode' and replace(upper(label), ' ', '') like '%' || replace(upper(${query.postcode ?? '-'}), ' ', '')
    order by position`.execute(db)
  return rows
}

/** The full address of one of them. */
export const byId: Handler = async ({ db, query }) => {
  const { rows } = await sql`select attrs ->> 'id' as value, label from lookup
    where kind = 'address_from_postcode' and attrs ->> 'id' = ${query.id ?? ''}`.execute(db)
  return rows
}
