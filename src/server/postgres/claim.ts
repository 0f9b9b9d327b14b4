import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'

const key = 1633973859

/**
 * Makes this process the owner of the server while the connection is open, or returns the process that is. The claim is
 * an advisory lock: it ends with its owner, even after a crash, and does not depend on process ids, which are reused.
 */
export async function claim(client: Client): Promise<{ owner: string } | undefined> {
  const deadline = Date.now() + 1000 // the connection of a killed owner takes a moment to close
  for (;;) {
    const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [key])
    if (rows[0].ours) return undefined
    if (Date.now() > deadline) return { owner: await ownerOf(client) }
    await sleep(100)
  }
}

async function ownerOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ owner: string }>(
    `select substring(application_name from '\\d+') as owner from pg_stat_activity join pg_locks using (pid)
      where locktype = 'advisory' and classid = 0 and objid = $1 and granted`,
    [key],
  )
  return rows[0]?.owner ?? 'unknown'
}
