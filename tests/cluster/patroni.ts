import { chownSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort, program, type Running, startProgram, unprivileged } from './programs.ts'

/** PostgreSQL under the supervision of Patroni, as on a machine of its own. */
export interface Node {
  name: string
  port: number
  /** Port of Patroni's own calls; `GET /primary` answers 200 where this node is the primary. */
  rest: number
  /** Whether it is the primary, as Patroni sees it. */
  isPrimary(): Promise<boolean>
  /** Sends a signal to Patroni and to all processes of its PostgreSQL. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
  /** Starts Patroni again after a kill, as a supervisor of its machine would. */
  restart(): void
}

export interface Patroni {
  nodes: Node[]
  primary(): Promise<Node>
  /** Hands the primary's part over to another node, in order. */
  switchOver(from: Node): Promise<void>
  end(): Promise<void>
}

/** Seconds after which a primary that does not renew its lease is replaced; Patroni allows no fewer. */
const LEASE = 20

/** Nodes of a synchronous cluster on the loopback address, and the etcd that holds their lease. */
export async function startPatroni(folder: string, names: string[]): Promise<Patroni> {
  const etcd = await startEtcd(join(folder, 'etcd'))
  const nodes: Node[] = []
  for (const name of names) nodes.push(await startNode(join(folder, name), name, etcd.port))
  const cluster: Patroni = {
    nodes,
    primary: async () => {
      for (const node of nodes) if (await node.isPrimary()) return node
      throw new Error('No node is the primary.')
    },
    switchOver: async ({ rest, name }) => {
      const body = JSON.stringify({ leader: name })
      const reply = await fetch(`http://127.0.0.1:${rest}/switchover`, { method: 'POST', body })
      if (!reply.ok) throw new Error(`No switchover: ${reply.status} ${await reply.text()}`)
    },
    end: async () => {
      for (const node of nodes) node.signal('SIGKILL')
      await etcd.running.end('SIGKILL')
    },
  }
  return cluster
}

/** Whether as many standbys stream from the primary as there are others, one of them synchronous. */
export async function isWhole({ nodes, primary }: Patroni): Promise<boolean> {
  const { rest } = await primary()
  const { members } = (await (await fetch(`http://127.0.0.1:${rest}/cluster`)).json()) as {
    members: { role: string; state: string; lag?: number }[]
  }
  const standbys = members.filter(({ state, lag }) => /running|streaming/.test(state) && lag === 0)
  return standbys.length === nodes.length - 1 && standbys.some(({ role }) => role === 'sync_standby')
}

async function startEtcd(folder: string): Promise<{ port: number; running: Running }> {
  makeFolder(folder)
  const [port, peers] = [await freePort(), await freePort()]
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`]
  const options = {
    'data-dir': folder,
    'listen-client-urls': clientUrl,
    'advertise-client-urls': clientUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
  }
  const running = startProgram(
    'etcd',
    ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
  )
  return { port, running }
}

async function startNode(folder: string, name: string, etcd: number): Promise<Node> {
  makeFolder(folder)
  const [port, rest] = [await freePort(), await freePort()]
  const file = join(folder, 'patroni.json')
  // YAML reads JSON.
  writeFileSync(file, JSON.stringify(settingsOf(folder, name, { port, rest, etcd })))
  let running = startProgram('patroni', file)
  return {
    name,
    port,
    rest,
    isPrimary: async () => {
      const timeout = AbortSignal.timeout(1000)
      const reply = await fetch(`http://127.0.0.1:${rest}/primary`, { signal: timeout }).catch(
        () => undefined,
      )
      return reply?.status === 200
    },
    signal: (one) => {
      for (const pid of [running.process.pid!, ...processesIn(join(folder, 'data'))]) send(pid, one)
    },
    restart: () => {
      running = startProgram('patroni', file)
    },
  }
}

function settingsOf(
  folder: string,
  name: string,
  { port, rest, etcd }: { port: number; rest: number; etcd: number },
) {
  return {
    scope: 'advocacy',
    name,
    etcd3: { host: `127.0.0.1:${etcd}` },
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    bootstrap: {
      dcs: {
        ttl: LEASE,
        loop_wait: 2,
        retry_timeout: 3,
        primary_start_timeout: 0,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, fsync: 'off' } },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums', 'no-sync'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, 'data'),
      pgpass: join(folder, 'pgpass'),
      bin_dir: dirname(program('initdb')),
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'postgres' } },
    },
  }
}

/** Processes that work in a folder, as all of a PostgreSQL do in that of its data. */
function processesIn(folder: string): number[] {
  const at = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`)
    } catch {
      return undefined
    }
  }
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && at(pid) === folder)
    .map(Number)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { mode: 0o700 })
  const { uid, gid } = unprivileged()
  if (uid !== undefined) chownSync(folder, uid, gid!)
}
