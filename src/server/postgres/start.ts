import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartProblem } from '../start/startProblem.ts'
import { removeSocketFolder, SUPERUSER, urlOf } from './address.ts'
import { findBinary } from './binary.ts'
import { claim } from './claim.ts'
import { connectOrStart } from './connectOrStart.ts'
import { holdsDatabase } from './folder.ts'
import { prepareDatabase, ROLE } from './role.ts'
import { type Running, readPidFile } from './running.ts'
import { shutDown } from './shutDown.ts'
import { starter } from './starter.ts'

const DATABASE = 'advocacy'

/** A PostgreSQL of our own, started again when it dies; `adopted` when it had outlived its last owner. */
export interface Database {
  /** Of the database "advocacy", as a role that is no superuser; stays good when PostgreSQL is started again. */
  url: string
  /** The same as the superuser. */
  superuserUrl: string
  adopted: boolean
  /** Rolls back what is open and ends the server; a second call waits for the first. */
  stop(): Promise<void>
}

/** Starts PostgreSQL on a data folder, made on first use; a StartProblem says why it cannot. */
export async function startPostgres(
  dataDir: string,
  options: { settings?: Record<string, string> } = {},
): Promise<Database> {
  const folder = resolve(dataDir)
  try {
    return await start(folder, options.settings ?? {})
  } catch (error) {
    if (error instanceof StartProblem) throw error
    throw new StartProblem(
      `The database in ${folder} could not be started (${(error as Error).message}). Set DATA_DIR to ` +
        'another folder, or set DATABASE_URL to a PostgreSQL server of your own.',
    )
  }
}

async function start(folder: string, settings: Record<string, string>): Promise<Database> {
  const binary = findBinary()
  holdsDatabase(folder, binary.major) // first: a server of another major is not to be adopted either
  const left = readPidFile(folder)?.address
  const server = starter(folder, binary, settings)
  let owned: Running | undefined
  let regaining = Promise.resolve()
  let ended: Promise<void> | undefined

  async function own(): Promise<boolean> {
    const { running, adopted } = await connectOrStart(folder, server.start)
    const other = await claim(running.client)
    if (other) {
      await running.client.end()
      throw new StartProblem(
        `The data folder ${folder} is in use by another running copy (process ${other.owner}). ` +
          'Stop it first, or set DATA_DIR to another folder.',
      )
    }
    owned = running
    running.client.once('end', () => {
      owned = undefined
      if (!ended) regaining = regain()
    })
    return adopted
  }

  // The server died, or restarted itself and took our claim with it.
  async function regain(): Promise<void> {
    while (!ended && !owned) await own().catch(() => sleep(1000))
  }

  async function stop(): Promise<void> {
    await regaining
    if (!owned) return
    const { pid, client, address } = owned
    await shutDown(pid, folder, binary.native) // the claim holds until the server itself lets go
    await client.end()
    removeSocketFolder(address)
  }

  const adopted = await own().finally(() => server.setAddress(owned?.address))
  const { address, client } = owned!
  if (left && left.socketFolder !== address.socketFolder) removeSocketFolder(left)
  await prepareDatabase(client, address, DATABASE)
  return {
    url: urlOf(address, DATABASE, ROLE),
    superuserUrl: urlOf(address, DATABASE, SUPERUSER),
    adopted,
    stop: () => (ended ??= stop()),
  }
}
