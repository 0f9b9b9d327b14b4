import type { Client } from 'pg'
import { DataFolderInUse, StartProblem } from '../../core/startProblem.ts'
import type { Patience } from '../../http/patience.ts'
import { connectOrStart } from './connectOrStart.ts'
import type { Launch } from './launch.ts'
import type { Running } from './running.ts'

const KEY = 1633973859

/**
 * Connects to the server of the folder, which `start` starts if none runs, and makes this process its owner while the
 * connection is open. Waits for the previous owner to end; if it does not, throws a StartProblem that names it.
 */
export async function connectAndClaim(
  folder: string,
  start: () => Promise<Launch>,
  waiting: Patience,
): Promise<{ running: Running; adopted: boolean }> {
  for (;;) {
    const connected = await connectOrStart(folder, start, waiting)
    const { client } = connected.running
    try {
      await claim(client, folder, waiting)
      return connected
    } catch (error) {
      await client.end().catch(() => {})
      if (error instanceof StartProblem) throw error
      // An owner that ends stops the server, and with it this connection.
      if (!(await waiting.wait(`The PostgreSQL of the data folder ${folder} is stopping.`))) throw error
    }
  }
}

/**
 * The claim is an advisory lock: it ends with its owner, even after a crash, and does not depend on process ids, which
 * are reused.
 */
async function claim(client: Client, folder: string, waiting: Patience): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ ours: boolean; owner: string | null }>(
      `select pg_try_advisory_lock($1) as ours, (${OWNER}) as owner`,
      [KEY],
    )
    const [{ ours, owner }] = rows
    if (ours) return
    const inUse = `The data folder ${folder} is in use by another running copy (process ${owner ?? 'unknown'}).`
    if (!(await waiting.wait(inUse)))
      throw new DataFolderInUse(`${inUse} Stop it first, or set DATA_DIR to another folder.`)
  }
}

const OWNER = `select substring(application_name from '\\d+') from pg_stat_activity join pg_locks using (pid)
  where locktype = 'advisory' and classid = 0 and objid = $1 and granted limit 1`
