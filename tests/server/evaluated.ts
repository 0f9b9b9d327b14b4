import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { evaluateLeft } from '../../src/server/features/automations/evaluateLeft.ts'
import type { TestContext } from './context.ts'

/**
 * Evaluates the automations of all that was changed, and waits for the server, which evaluates the same after a
 * publication and holds what it has begun with.
 */
export async function evaluated({ db, contract }: Pick<TestContext, 'db' | 'contract'>): Promise<void> {
  await vi.waitFor(async () => {
    await evaluateLeft({ db, contract, log: console, settings: readSettings({}) })
    const { rows } = await sql`select from automation_changes`.execute(db)
    expect(rows).toEqual([])
  }, 30_000)
}
