import { sql } from 'kysely'
import type { Handler } from '../call.ts'
import { type FoundAddress, findAddresses } from '../lookups/findAddresses.ts'

const MOST = 100
const WHOLE = /^[A-Z0-9]{5,7}$/

/** Addresses of a whole postcode, with its space or without; in the bundled table they end with it. An unknown one has none. */
export const byPostcode: Handler = async ({ db, query, settings }) => {
  const postcode = plain(query.postcode)
  if (postcode === '') return []
  if (settings.ADDRESS_URL) return (await findAddresses(settings, { postcode })).slice(0, MOST)
  if (!WHOLE.test(postcode)) return []
  const ending = `(^|[^A-Z0-9])${postcode.slice(0, -3)} *${postcode.slice(-3)}$`
  const { rows } = await sql<FoundAddress>`select attrs ->> 'id' as value, label from lookup
    where kind = 'address_from_postcode' and trim(upper(label)) ~ ${ending} order by position limit ${MOST}`.execute(
    db,
  )
  return rows
}

/** The full address of one of them, in a list; none of an unknown one. */
export const byId: Handler = async ({ db, query, settings }) => {
  const id = String(query.id ?? '').trim()
  if (id === '') return []
  if (settings.ADDRESS_URL) return (await findAddresses(settings, { id })).slice(0, 1)
  const { rows } = await sql<FoundAddress>`select attrs ->> 'id' as value, label from lookup
    where kind = 'address_from_postcode' and attrs ->> 'id' = ${id} limit 1`.execute(db)
  return rows
}

function plain(postcode: unknown): string {
  return String(postcode ?? '')
    .replaceAll(/\s/g, '')
    .toUpperCase()
}
