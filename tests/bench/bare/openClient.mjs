import { transaction } from './database.mjs'
import { columnsOf, note } from './rows.mjs'

const CLIENT = columnsOf('client')

/** One client. */
export async function fetchClient(db, id) {
  const { rows } = await db.query(`select ${CLIENT} from client_record r where r.id = $1 and true`, [id])
  return rows[0]
}

/** One client as its page reads it, which is written down. */
export function openClient(pool, { me, id, request }) {
  return transaction(pool, async (db) => {
    const client = await fetchClient(db, id)
    await note(db, { me, action: 'open', entity: 'client', record: id, request })
    return client
  })
}
