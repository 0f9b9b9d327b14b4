import { sql } from 'kysely'
import { expect } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { workOnUploads } from '../../src/server/features/bulk/workOnUploads.ts'
import { type goodRows, type Rows, send, workbook } from './bulkFiles.ts'
import type { Caller, TestContext } from './context.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads replies of every shape.
export type Upload = any
export type GoodRows = Awaited<ReturnType<typeof goodRows>>

interface Opened {
  context: TestContext
  hub: Caller
  good: GoodRows
}

/** Milliseconds after which a job hangs. */
export const PATIENCE = 120_000
const BUSY = ['reading', 'checking', 'applying', 'undoing']

/**
 * Functions that upload, apply and read uploads, by default as the hub adviser. `opened` is a function because the
 * server of a test file starts after this is called.
 */
export function bulkUploads(opened: () => Opened) {
  const read = async (id: number, caller = opened().hub): Promise<Upload> =>
    (await caller('bulk.read', { params: { id } })).body

  /** Waits until no job works on the upload, and returns it. */
  async function settled(id: number, caller = opened().hub): Promise<Upload> {
    await expect
      .poll(async () => BUSY.includes((await read(id, caller)).state), { timeout: PATIENCE })
      .toBe(false)
    return read(id, caller)
  }

  /** Uploads rows to be validated only, and waits for that. */
  async function check(
    rows: Rows,
    headings = opened().good.headings,
    caller = opened().hub,
  ): Promise<Upload> {
    const reply = await send(caller, workbook([headings, ...rows]), { case_type: '1', check: 'true' })
    expect(reply.status).toBe(201)
    return settled(reply.body.data[0].id, caller)
  }

  /** Adds the good rows of an upload, and waits for that. */
  async function apply(id: number, caller = opened().hub): Promise<Upload> {
    expect((await caller('bulk.apply', { params: { id } })).status).toBe(200)
    return settled(id, caller)
  }

  const errorsOf = async (id: number): Promise<unknown[]> =>
    (await opened().hub('bulk.errors', { params: { id } })).body.data.map((e: Upload) => [
      e.row,
      e.column,
      e.value,
      e.message,
    ])

  const rowsOf = async (id: number): Promise<Upload[]> =>
    (await opened().hub('bulk.rows', { params: { id }, query: { page_size: 100 } })).body.data

  /** The number of rows of a database table. */
  const countOf = async (table: string): Promise<number> => {
    const query = sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`
    return Number((await query.execute(opened().context.db)).rows[0].n)
  }

  /** Runs the job on uploads as another server would; the server of the context may have one already, see `settled`. */
  async function work(
    db = opened().context.pools.slow,
    ending = new AbortController().signal,
  ): Promise<void> {
    await workOnUploads({
      db,
      contract: opened().context.contract,
      settings: readSettings({}),
      log: { warn: () => undefined } as never,
      ending,
    })
  }

  return { read, settled, check, apply, errorsOf, rowsOf, countOf, work }
}
