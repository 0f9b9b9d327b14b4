import { sql } from 'kysely'
import { codeKey } from '../../../contract/compareKey.ts'
import { isPostcode } from '../../../contract/normalise.ts'
import type { Handler } from '../../core/call.ts'
import { type FoundAddress, findAddresses } from './findAddresses.ts'

const MAX_ADDRESSES = 100

/**
 * Addresses of a complete postcode, with or without its space; none if it is unknown. The labels of the bundled table
 * end with the postcode.
 */
export const byPostcode: Handler = async ({ db, query, settings }) => {
  const text = String(query.postcode ?? '')
  // What people type there by mistake, such as a name, must not be sent to another service.
  if (!isPostcode(text)) return []
  const postcode = codeKey(text)
  if (settings.ADDRESS_URL) return (await findAddresses(settings, { postcode })).slice(0, MAX_ADDRESSES)
  const ending = `(^|[^A-Z0-9])${postcode.slice(0, -3)} *${postcode.slice(-3)}$`
  const { rows } = await sql<FoundAddress>`select attrs ->> 'id' as value, label from lookup
    where kind = 'address_from_postcode' and trim(upper(label)) ~ ${ending} order by position limit ${MAX_ADDRESSES}`.execute(
    db,
  )
  return rows
}

/** A list with the full address of an id; empty if the id is unknown. */
export const byId: Handler = async ({ db, query, settings }) => {
  const id = String(query.id ?? '').trim()
  if (id === '') return []
  if (settings.ADDRESS_URL) return (await findAddresses(settings, { id })).slice(0, 1)
  const { rows } = await sql<FoundAddress>`select attrs ->> 'id' as value, label from lookup
    where kind = 'address_from_postcode' and attrs ->> 'id' = ${id} limit 1`.execute(db)
  return rows
}
