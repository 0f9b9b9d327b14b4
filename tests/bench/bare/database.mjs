import pg from 'pg'

const DATE = 1082
const INT8 = 20
pg.types.setTypeParser(DATE, (text) => text)
pg.types.setTypeParser(INT8, Number)

/** As many connections as the product has, reading values as it does. */
export function openPool(url) {
  return new pg.Pool({ connectionString: url, max: 10 })
}

/** Does work on one connection, all or nothing. */
export async function transaction(pool, work) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
