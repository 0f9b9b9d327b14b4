import { expect, it } from 'vitest'
import { withClient } from '../../src/server/ops/command/withClient.ts'
import { freshDatabase } from './database.ts'

it('a connection that is lost between two queries fails the next one, and does not end the process', async () => {
  const database = await freshDatabase()
  const lost = withClient(database.url, 'lost', async (client) => {
    const ended = new Promise((resolve) => client.once('end', resolve))
    const { rows } = await client.query('select pg_backend_pid() as pid')
    await withClient(database.url, 'other', (other) =>
      other.query('select pg_terminate_backend($1)', [rows[0].pid]),
    )
    await ended
    await client.query('select 1')
  })
  await expect(lost).rejects.toThrow(/not queryable|terminated/)
  await database.drop()
})
