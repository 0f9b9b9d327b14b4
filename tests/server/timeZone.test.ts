import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/server/db.ts'
import { today } from '../../src/server/today.ts'
import { startTestServer } from './context.ts'
import { freshDatabase } from './database.ts'

it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'the database says the same day as the server where the service works: %s',
  async (timeZone) => {
    const fresh = await freshDatabase()
    const { db, close } = openDatabase(fresh.url, 3, timeZone)
    // On every connection of the pool.
    const asked = await Promise.all(
      [1, 2, 3].map(() => sql<{ day: string }>`select current_date as day, pg_sleep(0.1)`.execute(db)),
    )
    expect(asked.map(({ rows }) => rows[0].day)).toEqual([1, 2, 3].map(() => today(timeZone)))
    await close()
    await fresh.drop()
  },
)

it('the page says where the service works', async () => {
  const context = await startTestServer({ TIME_ZONE: 'Pacific/Kiritimati' })
  const reply = await fetch(`${context.address}/login`, { headers: { accept: 'text/html' } })
  const html = await reply.text()
  expect(html).toContain('<meta name="time-zone" content="Pacific/Kiritimati">')
  await context.end()
})
