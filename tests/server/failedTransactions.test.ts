import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { repeatDeadlocked } from '../../src/server/core/repeatDeadlocked.ts'
import { describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()

/** Fails so often with an error of PostgreSQL, then succeeds. */
function failing(times: number, code: string) {
  const attempts: number[] = []
  const transaction = async () => {
    attempts.push(attempts.length + 1)
    if (attempts.length <= times) throw Object.assign(new Error('ended'), { code })
    return attempts.length
  }
  return { attempts, transaction }
}

describe('a transaction that PostgreSQL ended', () => {
  it('for a deadlock is repeated twice, and no more', async () => {
    expect(await repeatDeadlocked(failing(0, '40P01').transaction)).toBe(1)
    expect(await repeatDeadlocked(failing(2, '40P01').transaction)).toBe(3)
    expect(await repeatDeadlocked(failing(2, '25P02').transaction)).toBe(3)
    const third = failing(3, '40P01')
    await expect(repeatDeadlocked(third.transaction)).rejects.toMatchObject({ code: '40P01' })
    expect(third.attempts).toEqual([1, 2, 3])
  })

  it('for another reason is not repeated', async () => {
    const other = failing(1, '23505')
    await expect(repeatDeadlocked(other.transaction)).rejects.toMatchObject({ code: '23505' })
    expect(other.attempts).toEqual([1])
  })
})

it('a save that PostgreSQL ends because of a deadlock is repeated, so that nobody notices', async () => {
  const advocate = await context.as('advocate')
  const made = await createCase(advocate)
  const isWaiting = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted`.execute(context.db))
      .rows[0].n
  const deadlockWithSave = (attempt: number) =>
    context.db.transaction().execute(async (tx) => {
      await sql`select from clients where id = ${made.client} for update`.execute(tx)
      // The save holds its case, and waits for the client.
      const reply = advocate('cases.update', {
        params: { id: made.id },
        body: { answers: { ward: `Ward ${attempt}` } },
      })
      await expect.poll(isWaiting).toBe(1)
      await sql`select from cases where id = ${made.id} for update`.execute(tx)
      return { reply }
    })
  // PostgreSQL ends whichever of the two looks for a deadlock first. Only a save that was ended lets the other go on.
  const endedSave = async (attempt = 1): Promise<{ reply: ReturnType<typeof advocate> }> => {
    try {
      return await deadlockWithSave(attempt)
    } catch (error) {
      expect(error).toMatchObject({ code: '40P01' })
      return endedSave(attempt + 1)
    }
  }
  const { reply } = await endedSave()
  expect((await reply).status).toBe(200)
})

it('a save that fails while its notices are written gets an error, and the server goes on', async () => {
  const advocate = await context.as('advocate')
  const made = await createCase(advocate)
  const statements = [
    sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    sql`create trigger refuse before update of dod on clients for each row execute function refuse()`,
  ]
  for (const statement of statements) await statement.execute(context.db)
  // Its advocates are notified of a death.
  const save = (dod: string) => advocate('clients.update', { params: { id: made.client }, body: { dod } })
  expect((await save('2026-01-01')).status).toBe(500)
  await sql`drop trigger refuse on clients`.execute(context.db)
  expect((await save('2026-01-02')).status).toBe(200)
})
