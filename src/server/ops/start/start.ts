import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { loadContract } from '../../../check/load.ts'
import type { Contract } from '../../../contract/contract.ts'
import { printProblem } from '../../../contract/locate.ts'
import { offerSetup } from '../../access/setup.ts'
import { type Db, openDatabase } from '../../core/db.ts'
import { rootFolder } from '../../core/rootFolder.ts'
import type { Settings } from '../../core/settings.ts'
import { openStandby } from '../../core/standby.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { today } from '../../core/today.ts'
import { startBulkWork } from '../../features/bulk/startBulkWork.ts'
import { inUploadThread } from '../../features/bulk/uploadThread.ts'
import { HANDLERS } from '../../features/handlers.ts'
import { createApp } from '../../http/app.ts'
import { listen } from '../../http/listen.ts'
import { startAuditStream } from '../auditStream/startAuditStream.ts'
import { startBackups } from '../backup/startBackups.ts'
import { claimStorage, storedFilesWarning } from '../command/claimStorage.ts'
import { fillDefaults } from '../demo/defaults.ts'
import { DEMO_CLIENTS, DEMO_CONTACT, fillDemo } from '../demo/demo.ts'
import { JOBS } from '../jobs/jobs.ts'
import { startJobs } from '../jobs/runJobs.ts'
import { startDeadlines } from '../jobs/startDeadlines.ts'
import { startIndexing } from '../jobs/startIndexing.ts'
import { startMailing } from '../jobs/startMailing.ts'
import { startMigrations } from '../jobs/startMigrations.ts'
import { missingColumns, readTables, type Tables } from '../migrate/compareEntities.ts'
import { migrateOrRefuse } from '../migrate/migrateOrRefuse.ts'
import { startPostgres } from '../postgres/start.ts'
import { namedRoles } from './namedRoles.ts'
import { withPurgeRoles } from './purgeRoles.ts'

interface Running {
  app: FastifyInstance
  contract: Contract
  tables: Tables
  address: string
  demo: boolean
  /** One-time token of the set-up link, where nobody can sign in yet. */
  setup?: string
  /** Problems that do not prevent the start, a sentence each. */
  warnings: string[]
  /** Description of where the data is stored. */
  data: string
  stop(): Promise<void>
}

interface Program {
  /**
   * The file of the bundled server: the browser bundle is beside it, and the upload thread starts from it. Without it
   * uploads run in the main thread.
   */
  file?: URL
  /** A file below the project that marks the contract as checked. */
  checked?: string
}

/** Starts the product: contract, database, migrations, first data, server. Throws a StartProblem if it cannot. */
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
    await migrateOrRefuse(directUrl, {
      mayChange: settings.MIGRATE === 1,
      patience: settings.MIGRATE_PATIENCE,
      dataFolder: server && settings.DATA_DIR,
    })
    if (directUrl !== url) await refuseUnlimitedPooler(pools.db)
    const tables = await readTables(pools.db)
    refuseMissingColumns(contract, tables)
    await fillDefaults(pools.slow)
    if (settings.FILES_URL) await claimStorage(settings.FILES_URL, pools.db)
    const warning = settings.FILES_URL ? undefined : await storedFilesWarning(pools.db)
    const demo = await demoData(pools.slow, contract, settings, server !== undefined)
    const app = await createApp({
      ...pools,
      databaseUrl: directUrl,
      standby,
      contract,
      settings: demo ? { ...settings, PUBLIC_CONTACT: settings.PUBLIC_CONTACT || DEMO_CONTACT } : settings,
      uploadThread: file && inUploadThread(file, database),
      web: file ? fileURLToPath(new URL('web', file)) : join(root, 'dist/web'),
    })
    const setup = await offerSetup(pools.db)
    const address = await listen(app, settings)
    // Nothing is awaited from here on: a signal must find its handler once a call is answered. Jobs start only once the
    // server listens.
    startJobs(app, { contract, settings, jobs: JOBS })
    startDeadlines(app, contract, settings)
    startIndexing(app)
    startMigrations(app, settings)
    startMailing(app, settings)
    startAuditStream(app, settings)
    startBulkWork(app, { contract, settings })
    startBackups(app, { url: directUrl, settings, program: file })
    return {
      app,
      contract,
      tables,
      address,
      demo,
      setup,
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
  if (problems.length === 0) {
    namedRoles(contract, 'SECOND_FACTOR_ROLES', settings.SECOND_FACTOR_ROLES)
    return withPurgeRoles(contract, settings)
  }
  throw new StartProblem(
    `${problems.map(printProblem).join('\n')}\nFix ${problems.length === 1 ? 'this' : 'these'} and start again.`,
  )
}

function refuseMissingColumns(contract: Contract, tables: Tables): void {
  const missing = missingColumns(contract, tables)
  if (missing.length > 0) throw new StartProblem(`${missing.map(printProblem).join('\n')}\nThen start again.`)
}

/**
 * Refuses a pooler without lock_timeout: it ignores the session settings of our connections, so it must have its own.
 */
async function refuseUnlimitedPooler(db: Db): Promise<void> {
  const { rows } = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(db)
  if (rows[0].lock_timeout !== '0') return
  throw new StartProblem(
    'The pooler of DATABASE_URL lets statements wait for ever. Give its database this connect_query: ' +
      `set lock_timeout = '2s'; set statement_timeout = '60s'; set idle_in_transaction_session_timeout = '30s'`,
  )
}

/** Fills an empty database with demo data if DEMO is set; returns true if demo data is enabled. */
async function demoData(db: Db, contract: Contract, settings: Settings, embedded: boolean): Promise<boolean> {
  const isEnabled = settings.DEMO === '' ? embedded : settings.DEMO === '1'
  if (!isEnabled) return false
  const { rows } = await sql`select 1 from staff limit 1`.execute(db)
  if (rows.length === 0) {
    await fillDemo(db, {
      contract,
      clients: DEMO_CLIENTS,
      password: settings.DEMO_PASSWORD,
      passwordCost: settings.PASSWORD_COST,
      today: today(settings.TIME_ZONE),
    })
  }
  return true
}
