import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Contract } from '../../contract/contract.ts'
import { loadContract } from '../../contract/load.ts'
import { printProblem } from '../../contract/locate.ts'
import { createApp } from '../app.ts'
import { startBulkWork } from '../bulk/startBulkWork.ts'
import { inUploadThread } from '../bulk/uploadThread.ts'
import { type Db, openDatabase } from '../db.ts'
import { fillDefaults } from '../demo/defaults.ts'
import { DEMO_CLIENTS, fillDemo } from '../demo/demo.ts'
import { HANDLERS } from '../handlers/handlers.ts'
import { startJobs } from '../jobs/jobs.ts'
import { startPostgres } from '../postgres/start.ts'
import type { Settings } from '../settings.ts'
import { offerSetup } from '../signIn/setup.ts'
import { openStandby } from '../standby.ts'
import { today } from '../today.ts'
import { claimStorage, warningOfStored } from './claimStorage.ts'
import { missingColumns, readTables, type Tables } from './compareEntities.ts'
import { migrateOrRefuse } from './migrateOrRefuse.ts'
import { withPurgeRoles } from './purgeRoles.ts'
import { rootFolder } from './rootFolder.ts'
import { StartProblem } from './startProblem.ts'

interface Running {
  app: FastifyInstance
  contract: Contract
  tables: Tables
  address: string
  demo: boolean
  /** One-time token of the set-up link, where nobody can sign in yet. */
  setup?: string
  /** What is amiss and lets the product run all the same, a sentence each. */
  warnings: string[]
  /** Where the data lives, in words. */
  data: string
  stop(): Promise<void>
}

interface Program {
  /** The file of the bundled server, which can also run as a thread; without it all is done in one. */
  file?: URL
  /** A file below the project where a build notes that its contract has no mistakes. */
  checked?: string
}

/** Starts the product: contract, database, migrations, first data, server. A StartProblem says in a sentence why it cannot. */
export async function start(settings: Settings, { file, checked }: Program = {}): Promise<Running> {
  const root = rootFolder()
  const contract = loadOrRefuse(root, settings, checked && join(root, checked))
  const server = settings.DATABASE_URL ? undefined : await startPostgres(join(settings.DATA_DIR, 'postgres'))
  const url = server?.url ?? settings.DATABASE_URL
  const directUrl = settings.DATABASE_DIRECT_URL || url
  const database: Parameters<typeof openDatabase> = [
    url,
    {
      size: settings.POOL_SIZE,
      timeZone: settings.TIME_ZONE,
      prepared: settings.PREPARED_STATEMENTS === 1,
      pooled: directUrl !== url,
    },
  ]
  const { close, ...pools } = openDatabase(...database)
  const standby = openStandby(settings)
  try {
    await migrateOrRefuse(directUrl, settings.MIGRATE === 1)
    if (directUrl !== url) await refuseUnlimitedPooler(pools.db)
    const tables = await readTables(pools.db)
    refuseMissingColumns(contract, tables)
    await fillDefaults(pools.slow)
    if (settings.FILES_URL) await claimStorage(settings.FILES_URL, pools.db)
    const warning = settings.FILES_URL ? undefined : await warningOfStored(pools.db)
    const demo = await demoData(pools.slow, settings, server !== undefined)
    const app = await createApp({
      ...pools,
      databaseUrl: directUrl,
      standby,
      contract,
      settings,
      uploadThread: file && inUploadThread(file, database),
      web: join(root, 'dist/web'),
    })
    startJobs(app, contract, settings)
    startBulkWork(app, { contract, settings })
    const address = await listen(app, settings)
    return {
      app,
      contract,
      tables,
      address,
      demo,
      setup: await offerSetup(pools.db),
      warnings: warning ? [warning] : [],
      data: server ? join(settings.DATA_DIR, 'postgres') : `the PostgreSQL at ${new URL(url).host}`,
      stop: async () => {
        await app.drain()
        await app.close()
        await Promise.all([close(), standby?.close()])
        await server?.stop()
      },
    }
  } catch (error) {
    await Promise.all([close(), standby?.close()])
    await server?.stop()
    throw error
  }
}

function loadOrRefuse(root: string, settings: Settings, checked?: string): Contract {
  const { contract, problems } = loadContract(root, Object.keys(HANDLERS), checked)
  if (problems.length === 0) return withPurgeRoles(contract, settings)
  throw new StartProblem(
    `${problems.map(printProblem).join('\n')}\nMend ${problems.length === 1 ? 'this' : 'these'} and start again.`,
  )
}

function refuseMissingColumns(contract: Contract, tables: Tables): void {
  const missing = missingColumns(contract, tables)
  if (missing.length > 0) throw new StartProblem(`${missing.join('\n')}\nThen start again.`)
}

/** What the server says of each of its connections, a pooler does not pass on: it has to say so itself. */
async function refuseUnlimitedPooler(db: Db): Promise<void> {
  const { rows } = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(db)
  if (rows[0].lock_timeout !== '0') return
  throw new StartProblem(
    'The pooler of DATABASE_URL lets statements wait for ever. Give its database this connect_query: ' +
      `set lock_timeout = '2s'; set statement_timeout = '60s'; set idle_in_transaction_session_timeout = '30s'`,
  )
}

/** Fills an empty database with demo data where DEMO says so; whether its sign-ins are there. */
async function demoData(db: Db, settings: Settings, embedded: boolean): Promise<boolean> {
  const isWanted = settings.DEMO === '' ? embedded : settings.DEMO === '1'
  if (!isWanted) return false
  const { rows } = await sql`select 1 from staff limit 1`.execute(db)
  if (rows.length === 0) {
    await fillDemo(db, {
      clients: DEMO_CLIENTS,
      password: settings.DEMO_PASSWORD,
      passwordCost: settings.PASSWORD_COST,
      today: today(settings.TIME_ZONE),
    })
  }
  return true
}

async function listen(app: FastifyInstance, { HOST, PORT }: Settings): Promise<string> {
  try {
    return await app.listen({ host: HOST, port: PORT })
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'EADDRINUSE')
      throw new StartProblem(
        `Port ${PORT} is in use by another program. Stop it, or set PORT to another one.`,
      )
    if (code === 'EACCES')
      throw new StartProblem(`Port ${PORT} may not be opened by this user. Set PORT to one above 1024.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartProblem(`HOST ${HOST} is no address of this machine.`)
    throw error
  }
}
