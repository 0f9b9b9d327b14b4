import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type PostgresServer, query, signalAll, startPrimary, until } from './postgres.ts'
import { unprivileged } from './programs.ts'
import { type Servers, startServers } from './servers.ts'
import {
  expectNothingLost,
  type Read,
  startReaders,
  startWriters,
  type Written,
  writeTask,
} from './writers.ts'

const PIECE = Buffer.alloc(64 * 1024)
/** Seconds that each step may take on the slowest machine. */
const PATIENCE = 100

let folder: string
let disks: string[] = []
let primary: PostgresServer | undefined
let servers: Servers | undefined

beforeEach(() => {
  folder = temporaryFolder('disk-full-')
  chmodSync(folder, 0o755)
})
afterEach(async () => {
  await servers?.end()
  if (primary) {
    signalAll(primary, 'SIGKILL')
    await until(async () => hasEnded(primary!))
  }
  ;[servers, primary] = [undefined, undefined]
  for (const disk of disks) execFileSync('umount', ['--lazy', disk])
  disks = []
  rmSync(folder, { recursive: true, force: true })
})

/** A disk of so many MB in memory, which belongs to PostgreSQL's user; only root may mount one. */
function mountDisk(name: string, megabytes: number): string {
  const disk = join(folder, name)
  mkdirSync(disk)
  const { uid, gid } = unprivileged()
  const owner = uid === undefined ? '' : `,uid=${uid},gid=${gid}`
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m${owner}`, 'tmpfs', disk], { stdio: 'pipe' })
  disks.push(disk)
  return disk
}

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'pipe' })
    return process.getuid?.() === 0
  } catch {
    return false
  }
}

/** Takes all room that a disk has left, and what PostgreSQL gives back meanwhile; answers how to free it. */
function keepFull(disk: string): () => void {
  const file = join(disk, 'filler')
  const out = openSync(file, 'w')
  const fill = () => {
    try {
      for (;;) writeSync(out, PIECE)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  fill()
  const filling = setInterval(fill, 20)
  return () => {
    clearInterval(filling)
    closeSync(out)
    rmSync(file)
  }
}

function hasEnded({ running }: PostgresServer): boolean {
  return running.process.exitCode !== null || running.process.signalCode !== null
}

/**
 * Fills a disk under writers until that shows, makes calls that read, and frees it again; returns how
 * these fared.
 */
async function writeWhileFull(
  disk: string,
  fault: string,
  shows: (written: Written) => boolean,
): Promise<Read> {
  const { advocates, memory, products } = servers!
  const before = memory()
  const writers = startWriters(advocates)
  await writers.write(50)
  const makeRoom = keepFull(disk)
  const full = Date.now()
  await until(async () => shows(writers.written), PATIENCE)
  const readers = startReaders(advocates, 'clients.list')
  await until(async () => readers.read.count + refused(readers.read) > 10, PATIENCE)
  const read = await readers.stop()
  makeRoom()
  const free = Date.now()
  // A service manager starts it again, where it has ended.
  const ended = hasEnded(primary!)
  if (ended) await primary!.restart()
  await until(async () => (await writeTask(advocates[0], 'x')).status === 201, PATIENCE)
  const recovered = Date.now()
  await writers.write(50)
  const written = await writers.stop()
  await expectNothingLost(primary!.url('advocacy'), fault, {
    written,
    read,
    figures: {
      'full (ms)': free - full,
      'writable again after (ms)': recovered - free,
      'reads while full': read.count,
      'database ended': ended,
      'memory before (MB)': before,
      'memory after (MB)': memory(),
    },
  })
  for (const { address } of products) expect((await fetch(`${address}/readyz`)).status).toBe(200)
  return read
}

const refused = ({ refusals }: Read) => Object.values(refusals).reduce((sum, count) => sum + count, 0)

const itWhereMounted = it.skipIf(!mayMount())
const WHY = 'needs root, to mount a small disk'

itWhereMounted(`writes are refused and reads go on while there is no room for tables (${WHY})`, async () => {
  const disk = mountDisk('tables', 300)
  const log = join(mountDisk('log', 400), 'log')
  primary = await startPrimary(join(disk, 'primary'), { log, conf: 'max_wal_size = 128MB\n' })
  await query(primary.url('postgres'), 'create database advocacy')
  servers = await startServers(primary.url('advocacy'))
  const shows = ({ refusals }: Written) => refusals['503 databaseFull'] > 0
  const read = await writeWhileFull(disk, 'no room for tables', shows)
  expect(read.refusals).toEqual({})
})

itWhereMounted(`nothing is lost where the log has no room, for which PostgreSQL ends (${WHY})`, async () => {
  const disk = mountDisk('log', 64)
  primary = await startPrimary(join(folder, 'primary'), {
    log: join(disk, 'log'),
    // Megabytes: a segment is full soon, and the next one has no room.
    segment: 1,
    conf: 'max_wal_size = 16MB\nmin_wal_size = 2MB\nwal_recycle = off\n',
  })
  await query(primary.url('postgres'), 'create database advocacy')
  servers = await startServers(primary.url('advocacy'))
  await writeWhileFull(disk, 'no room for the log', () => hasEnded(primary!))
})
