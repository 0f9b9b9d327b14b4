import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabaseProxy, startProxy } from '../server/databaseProxy.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type PostgresServer, query, signalAll, startPrimary } from './postgres.ts'
import { type Servers, startServers } from './servers.ts'

export interface ClusterContext extends Servers {
  primary: PostgresServer
  /** Before the database, one for each server. */
  proxies: DatabaseProxy[]
  query(text: string): Promise<Record<string, unknown>[]>
}

interface Options {
  /** Of each server. */
  env?: Record<string, string>
  databaseEnv?: Record<string, string>
}

/** Two servers with the demo data on one PostgreSQL, each with a proxy in between. */
export async function startCluster({ env = {}, databaseEnv }: Options = {}): Promise<ClusterContext> {
  const folder = temporaryFolder('cluster-')
  chmodSync(folder, 0o755)
  const primary = await startPrimary(join(folder, 'primary'), { env: databaseEnv })
  await query(primary.url('postgres'), 'create database advocacy')
  const url = primary.url('advocacy')
  const proxies = [await startProxy(url), await startProxy(url)]
  const servers = await startServers(
    url,
    proxies.map((proxy) => ({ ...env, DATABASE_URL: proxy.url })),
  )
  return {
    ...servers,
    primary,
    proxies,
    query: (text) => query(url, text),
    end: async () => {
      await servers.end()
      for (const proxy of proxies) proxy.close()
      signalAll(primary, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
