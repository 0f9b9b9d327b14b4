import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartProblem } from '../../core/startProblem.ts'
import { type Patience, patience } from '../../http/patience.ts'
import { changeOwner, chooseAccount } from './account.ts'
import { type Address, newAddress, removeSocketFolder, removeUnused, restoreSocketFolder } from './address.ts'
import { type Binary, findBinary } from './binary.ts'
import { connectAndClaim } from './claim.ts'
import { holdsDatabase, makeDatabase } from './folder.ts'
import { type Launch, launch } from './launch.ts'
import { prepareDatabase } from './role.ts'
import { DATABASE, type Running, readPidFile, urlsOf } from './running.ts'
import { shutDown } from './shutDown.ts'

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

/** Starts the server of a data folder, at the same address every time. */
interface Starter {
  start(): Promise<Launch>
  /** Sets the actual address of the server, which another copy of the app may have chosen. */
  setAddress(address: Address | undefined): void
}

/** Makes a Starter, which prepares account, data folder and address only when a server has to be started. */
function starter(folder: string, binary: Binary, settings: Record<string, string>): Starter {
  let place: ReturnType<typeof chooseAccount> | undefined
  let address: Address | undefined
  return {
    async start() {
      place ??= chooseAccount(binary, folder)
      const { account, native } = place
      if (holdsDatabase(folder, binary.major)) changeOwner(account, folder)
      else makeDatabase(folder, native, account, settings.fsync !== 'off')
      if (address) restoreSocketFolder(address, account)
      else address = await newAddress(folder, account)
      return launch(folder, native, account, address, settings)
    },
    setAddress(actual) {
      if (address && address.socketFolder !== actual?.socketFolder) removeUnused(address)
      address = actual
    },
  }
}
