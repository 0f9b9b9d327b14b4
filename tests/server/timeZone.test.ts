import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/server/core/db.ts'
import { today } from '../../src/server/core/today.ts'
import { startTestServer } from './context.ts'
import { freshDatabase } from './database.ts'
import { newCase } from './newCase.ts'

it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'the database says the same day as the server where the service works: %s',
  async (timeZone) => {
    const fresh = await freshDatabase()
    const { db, close } = openDatabase(fresh.url, { size: 3, timeZone })
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

// Of these two zones, one at least has another day than the machine.
it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'a new issue without a start date begins today where the service works: %s',
  async (timeZone) => {
    const context = await startTestServer({ TIME_ZONE: timeZone })
    const advocate = await context.as('advocate')
    const body = await newCase(advocate)
    const { start_date: _, ...issue } = body.issue as Record<string, unknown>
    const made = await advocate('cases.create', { body: { ...body, issue } })
    expect(made.status).toBe(201)
    const read = await advocate('issues.read', { params: { id: made.body.issue } })
    const added = await advocate('cases.addIssue', { params: { id: made.body.id }, body: issue })
    expect([read.body.start_date, added.status, added.body.start_date]).toEqual([
      today(timeZone),
      201,
      today(timeZone),
    ])
    const empty = await advocate('cases.addIssue', {
      params: { id: made.body.id },
      body: { ...issue, start_date: null },
    })
    expect([empty.status, empty.body]).toEqual([400, { start_date: ['Enter start date'] }])
    await context.end()
  },
)
