import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartProblem } from '../../core/startProblem.ts'
import { type Patience, patience } from '../../http/patience.ts'
import { removeSocketFolder } from './address.ts'
import { findBinary } from './binary.ts'
import { connectAndClaim } from './claim.ts'
import { holdsDatabase } from './folder.ts'
import { prepareDatabase } from './role.ts'
import { DATABASE, type Running, readPidFile, urlsOf } from './running.ts'
import { shutDown } from './shutDown.ts'
import { starter } from './starter.ts'

/** The embedded PostgreSQL, which is restarted if it dies; `adopted`: it was still running from a previous owner. */
export interface EmbeddedPostgres {
  /** URL of the database "advocacy", for a role that is no superuser; valid after a restart of PostgreSQL too. */
  url: string
  /** The same for the superuser. */
  superuserUrl: string
  adopted: boolean
  /** Rolls back open transactions and stops the server; a second call waits for the first. */
  stop(): Promise<void>
}

/** Starts PostgreSQL on a data folder, which is created on first use; throws a StartProblem if it cannot. */
export async function startPostgres(
  dataDir: string,
  options: { settings?: Record<string, string>; patience?: number } = {},
): Promise<EmbeddedPostgres> {
  const folder = resolve(dataDir)
  try {
    return await start(folder, options.settings ?? {}, patience(options.patience))
  } catch (error) {
    if (error instanceof StartProblem) throw error
    throw new StartProblem(
      `The database in ${folder} could not be started (${(error as Error).message}). Set DATA_DIR to ` +
        'another folder, or set DATABASE_URL to a PostgreSQL server of your own.',
    )
  }
}

async function start(
  folder: string,
  settings: Record<string, string>,
  waiting: Patience,
): Promise<EmbeddedPostgres> {
  const binary = findBinary()
  holdsDatabase(folder, binary.major) // first: a server of another major version must not be adopted either
  const left = readPidFile(folder)?.address
  const server = starter(folder, binary, settings)
  let owned: Running | undefined
  let reclaiming = Promise.resolve()
  let ended: Promise<void> | undefined

  async function own(waiting: Patience): Promise<boolean> {
    const { running, adopted } = await connectAndClaim(folder, server.start, waiting)
    owned = running
    running.client.once('end', () => {
      owned = undefined
      if (!ended) reclaiming = reclaim()
    })
    return adopted
  }

  // The server died, or restarted itself and lost our claim.
  async function reclaim(): Promise<void> {
    while (!ended && !owned) await own(patience(0)).catch(() => sleep(1000))
  }

  async function stop(): Promise<void> {
    await reclaiming
    if (!owned) return
    const { pid, client, address } = owned
    await shutDown(pid, folder, binary.native) // the claim lasts until the server has stopped
    await client.end()
    removeSocketFolder(address)
  }

  const adopted = await own(waiting).finally(() => server.setAddress(owned?.address))
  const { address, client } = owned!
  if (left && left.socketFolder !== address.socketFolder) removeSocketFolder(left)
  await prepareDatabase(client, address, DATABASE)
  return {
    ...urlsOf(address),
    adopted,
    stop: () => (ended ??= stop()),
  }
}
