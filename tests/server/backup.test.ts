import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import type { FastifyInstance } from 'fastify'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/server/core/db.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { backUp as backUpAt } from '../../src/server/ops/backup/backUp.ts'
import { backupName, backupsIn } from '../../src/server/ops/backup/backupFolder.ts'
import { lastSlot } from '../../src/server/ops/backup/slot.ts'
import { backUpSlot, startBackups } from '../../src/server/ops/backup/startBackups.ts'
import { verifyBackup } from '../../src/server/ops/backup/verifyBackup.ts'
import { withClient as withNamedClient } from '../../src/server/ops/command/withClient.ts'
import { withDatabase } from '../../src/server/ops/command/withDatabase.ts'
import { migrate } from '../../src/server/ops/migrate/migrate.ts'
import { startPostgres } from '../../src/server/ops/postgres/start.ts'
import { importData } from '../../src/server/ops/transfer/importData.ts'
import { fileOf } from '../../src/server/ops/transfer/manifest.ts'
import { recordRun } from '../../src/server/ops/transfer/recordRun.ts'
import { FULL, itInFull } from '../full.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { demoDatabase, emptyDatabase, freshDatabase } from './database.ts'

let url: string
let parent: string
const ends: (() => unknown)[] = []
beforeAll(async () => {
  const demo = await demoDatabase()
  url = demo.url
  parent = temporaryFolder('backups-')
  ends.push(demo.drop, () => rmSync(parent, { recursive: true }))
  await withClient((client) =>
    client.query(
      `insert into files (name, type, size, content, created_by)
        select 'picture.png', 'image/png', 4, '\\x005c2e0a', min(id) from staff`,
    ),
  )
})
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

const withClient = <T>(work: (client: Client) => Promise<T>, on = url) => withNamedClient(on, 'test', work)

let seconds = 0
/** Each backup of these tests has a second of its own, and so a name. */
const backUp: typeof backUpAt = (on, settings, options) =>
  backUpAt(on, settings, { now: new Date(Date.UTC(2026, 10, 26, 2, 30, seconds++)), ...options })

const settingsFor = (name: string, more: Record<string, string> = {}) =>
  readSettings({ BACKUP_DIR: join(parent, name), ...more })

const count = (on: string, table: string, condition: string) =>
  withClient(async (client) => {
    const { rows } = await client.query(`select count(*)::int as n from ${table} where ${condition}`)
    return rows[0].n as number
  }, on)

describe('a backup', () => {
  it('is a consistent snapshot, taken while people write', async () => {
    const ending = new AbortController()
    let written = 0
    const writers = [1, 2, 3].map((writer) =>
      withClient(async (client) => {
        for (; !ending.signal.aborted; written++) {
          await client.query('begin')
          await client.query(`insert into access_log (username, succeeded) values ('writer ${writer}', true)`)
          await client.query(
            `insert into idempotency (staff, key, body_hash) values (${writer}, 'pair ${written}', '')
              on conflict do nothing`,
          )
          await client.query('commit')
        }
      }),
    )
    await expect.poll(() => written).toBeGreaterThan(10)
    const { folder } = await backUp(url, settingsFor('writers'))
    const atEnd = written
    await expect.poll(() => written).toBeGreaterThan(atEnd + 10)
    ending.abort()
    await Promise.all(writers)
    const restored = await emptyDatabase()
    ends.push(restored.drop)
    await importData(restored.url, folder)
    const [left, right] = [
      await count(restored.url, 'access_log', `username like 'writer %'`),
      await count(restored.url, 'idempotency', `key like 'pair %'`),
    ]
    expect(left).toBe(right)
    expect(left).toBeGreaterThan(10)
    expect(left).toBeLessThan(await count(url, 'access_log', `username like 'writer %'`))
  })

  it('can be read by its owner alone', async () => {
    const { folder } = await backUp(url, settingsFor('modes'))
    expect(statSync(join(parent, 'modes')).mode & 0o777).toBe(0o700)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  })

  itInFull('is written while the embedded product runs', async () => {
    const settings = settingsFor('embedded', { DATA_DIR: join(parent, 'data') })
    const product = await startPostgres(join(settings.DATA_DIR, 'postgres'), { settings: { fsync: 'off' } })
    ends.push(() => product.stop())
    await migrate(product.url)
    const { folder } = await withDatabase(settings, 'shared', (shared) => backUp(shared, settings))
    expect(backupsIn(settings.BACKUP_DIR).map((backup) => backup.folder)).toEqual([folder])
    // The product's server runs on.
    expect(await count(product.url, 'staff', 'true')).toBe(0)
  })

  it('is refused in words if the disk has too little space, and nothing is written', async () => {
    const settings = settingsFor('refused')
    const free = (bytes: number) => backUp(url, settings, { freeOf: async () => bytes })
    await expect(free(1e6)).rejects.toThrow(
      /^The disk of .*refused has 1\.0 MB free, and the backup needs about \d+\.\d MB\. Nothing was written: /,
    )
    expect(readdirSync(settings.BACKUP_DIR)).toEqual([])
    await backUp(url, settings)
    // By the last backup, which is compressed, the second needs less than the database's size.
    await expect(free(1e5)).rejects.toThrow('needs about')
    await free(2e6)
  })

  it.runIf(FULL && mayMount())(
    'that fills the disk midway is refused in words, and the earlier one stays',
    async () => {
      const settings = settingsFor('tiny')
      const disk = settings.BACKUP_DIR
      mkdirSync(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk], { stdio: 'pipe' })
      ends.push(() => execFileSync('umount', ['--lazy', disk]))
      const { folder } = await backUp(url, settings, { freeOf: async () => undefined })
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize - sizeOf(folder) / 2))
      const full = backUp(url, settings, { freeOf: async () => undefined })
      await expect(full).rejects.toThrow(
        /^The disk is full\. What had been written of this export was removed/,
      )
      expect(readdirSync(disk)).toEqual([basename(folder), 'filler'])
      await verifyBackup(folder)
    },
  )

  it('of a killed process is never counted, and the next one removes it', async () => {
    const settings = settingsFor('killed')
    const killed = await startHanging(settings.BACKUP_DIR)
    const half = readdirSync(settings.BACKUP_DIR)
    expect(half).toEqual([expect.stringMatching(/\.partial$/)])
    expect(backupsIn(settings.BACKUP_DIR)).toEqual([])
    // While it is running, another backup leaves it alone.
    const first = await backUp(url, settings)
    expect(readdirSync(settings.BACKUP_DIR).sort()).toEqual([basename(first.folder), half[0]].sort())
    await kill(killed)
    await expect
      .poll(() => count(url, 'pg_stat_activity', `application_name = 'backup ${half[0].slice(0, -8)}'`))
      .toBe(0)
    const second = await backUp(url, settings)
    expect(readdirSync(settings.BACKUP_DIR)).toEqual([basename(second.folder)])
  })

  it('that is stopped leaves nothing, and its run says so', async () => {
    const settings = settingsFor('stopped')
    const ending = new AbortController()
    const work = recordRun(url, { name: 'backup' }, () =>
      backUp(url, settings, { signal: ending.signal, progress: () => ending.abort() }),
    )
    await expect(work).rejects.toMatchObject({ name: 'AbortError' })
    expect(readdirSync(settings.BACKUP_DIR)).toEqual([])
    expect(await count(url, 'job_runs', `error_code = 'stopped' and not ok and ended_at is not null`)).toBe(1)
  })

  it('shows its progress while it is running', async () => {
    const percents: number[] = []
    const { manifest } = await backUp(url, settingsFor('progress'), {
      progress: ({ percent }) => percents.push(percent),
    })
    expect(manifest.tables.length).toBeGreaterThan(40)
    expect(percents.at(-1)).toBe(100)
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
    expect(new Set(percents).size).toBeGreaterThan(5)
  })

  it('deletes the expired ones and nothing else', async () => {
    const settings = settingsFor('expired')
    const { folder } = await backUp(url, settings)
    const named = (time: string) => join(settings.BACKUP_DIR, `casework-2020-01-01T${time}Z`)
    for (const time of ['01-00-00', '02-00-00', '03-00-00']) cpSync(folder, named(time), { recursive: true })
    // None of these is a complete backup.
    mkdirSync(named('04-00-00'))
    mkdirSync(join(settings.BACKUP_DIR, 'letters'))
    writeFileSync(join(settings.BACKUP_DIR, 'notes.txt'), 'x')
    const { deleted } = await backUp(url, settings)
    expect(deleted).toContain('casework-2020-01-01T02-00-00Z')
    expect(deleted).not.toContain('casework-2020-01-01T03-00-00Z')
    for (const kept of [named('03-00-00'), named('04-00-00')]) expect(existsSync(kept)).toBe(true)
    for (const kept of ['letters', 'notes.txt'])
      expect(existsSync(join(settings.BACKUP_DIR, kept))).toBe(true)
  })
})

describe('verifying a backup', () => {
  let whole: string
  let encrypted: string
  let keys: { identity: string; recipient: string }[]
  beforeAll(async () => {
    const { generateIdentity, identityToRecipient } = await import('age-encryption')
    keys = await Promise.all(
      [1, 2].map(async () => {
        const identity = await generateIdentity()
        return { identity, recipient: await identityToRecipient(identity) }
      }),
    )
    whole = (await backUp(url, settingsFor('whole'))).folder
    const BACKUP_RECIPIENT = keys[0].recipient
    encrypted = (await backUp(url, settingsFor('encrypted', { BACKUP_RECIPIENT }))).folder
  })

  it('finds it whole, with its files', async () => {
    const { differences, files, manifest } = await verifyBackup(whole)
    expect(differences).toEqual([])
    expect(files).toBeGreaterThan(0)
    expect(manifest.tables.find(({ name }) => name === 'clients')?.rows).toBeGreaterThan(100)
  })

  itInFull('finds an encrypted one whole by its key, which an identity file of age has', async () => {
    const identity = `# created: 2026-11-26\n# public key: ${keys[0].recipient}\n${keys[0].identity}`
    expect((await verifyBackup(encrypted, { identity })).differences).toEqual([])
    expect(readFileSync(fileOf(encrypted, 'clients', true), 'latin1')).toMatch(/^age-encryption\.org\/v1\n/)
    expect(readdirSync(encrypted).filter((name) => !/\.age$|^manifest\.json$/.test(name))).toEqual([])
  })

  const file = (folder: string) => fileOf(folder, 'cases', folder.includes('encrypted'))
  const cases: [string, (folder: string) => void, RegExp][] = [
    ['a byte of a file', (folder) => flip(file(folder)), /cases\.copy\.gz.* is not as it was written/],
    ['a byte more', (folder) => appendFileSync(file(folder), 'x'), /cases\.copy\.gz.* is not as it was/],
    ['a shorter file', (folder) => truncateSync(file(folder), 100), /cases\.copy\.gz.* is not as it was/],
    ['an empty file', (folder) => truncateSync(file(folder), 0), /cases\.copy\.gz.* is not as it was/],
    ['a missing file', (folder) => rmSync(file(folder)), /cases\.copy\.gz.* is missing/],
    ['a missing manifest', (folder) => rmSync(join(folder, 'manifest.json')), /has no manifest\.json/],
    ['a byte of the manifest', (folder) => flip(join(folder, 'manifest.json')), /manifest\.json is (not|of)/],
    [
      'a shorter manifest',
      (folder) => truncateSync(join(folder, 'manifest.json'), 500),
      /manifest\.json is not/,
    ],
  ]
  const kinds = FULL ? [false, true] : [false]
  const some = FULL ? cases : [cases[0], cases[4], cases[6]]
  it.each(some.flatMap(([what, damage, words]) => kinds.map((is) => ({ what, damage, words, is }))))(
    'refuses $what (encrypted: $is)',
    async ({ what, damage, words, is }) => {
      const copy = join(parent, `${is ? 'encrypted' : 'whole'} but ${what}`)
      cpSync(is ? encrypted : whole, copy, { recursive: true })
      damage(copy)
      await expect(verifyBackup(copy, { identity: keys[0].identity })).rejects.toThrow(words)
    },
  )

  const keyless: [string, () => string, string][] = [
    ['no key', () => '', 'The backup is encrypted: set BACKUP_IDENTITY_FILE'],
    ['a key of nobody', () => 'AGE-SECRET-KEY-1QQ', 'BACKUP_IDENTITY is not a secret key of age'],
    ['another key', () => keys[1].identity, 'was encrypted for another key than that of BACKUP_IDENTITY'],
  ]
  it.each(FULL ? keyless : keyless.slice(-1))(
    'refuses an encrypted one with %s',
    async (_, identity, words) => {
      await expect(verifyBackup(encrypted, { identity: identity() })).rejects.toThrow(words)
    },
  )

  it('is refused in words if the disk has too little space', async () => {
    await expect(verifyBackup(whole, { freeOf: async () => 1e6 })).rejects.toThrow(
      /has 1\.0 MB free, and restoring the backup for a comparison needs about/,
    )
  })

  itInFull('removes its database', async () => {
    const own = join(parent, 'temporary')
    mkdirSync(own)
    await verifyBackup(whole, { parent: own })
    expect(readdirSync(own)).toEqual([])
  })
})

it('one of several servers does the backup of a slot, and another one only if that was killed or stopped', async () => {
  const slot = new Date('2026-11-26T02:30:00Z')
  let done = 0
  const run = (work = async () => void done++) => recordRun(url, { name: 'backup', slot }, work)
  const change = (text: string) =>
    withClient((client) => client.query(`update job_runs set ${text} where hour = $1`, [slot]))
  await Promise.all(Array.from({ length: 5 }, () => run()))
  expect(done).toBe(1)
  await change(`ok = false, error_code = 'ENOSPC'`)
  await run()
  expect(done).toBe(1)
  await change(`ended_at = now() - interval '61 minutes'`)
  await Promise.all(Array.from({ length: 5 }, () => run()))
  expect(done).toBe(2)
  await change(`ok = false, error_code = 'stopped'`)
  await run()
  expect(done).toBe(3)
  await change(`ok = null, ended_at = null, started_at = now() - interval '2 minutes'`)
  await run()
  expect(done).toBe(4)
  await change('ok = null, ended_at = null')
  await withNamedClient(url, 'backup run 12 %, audit', () => run())
  expect(done).toBe(4)
})

const bundle = resolve('.cache', `backup-test-${process.pid}.mjs`)

/** A process whose backup hangs after its first bytes. */
async function startHanging(folder: string): Promise<ChildProcess> {
  const contents = `
    import { backUp } from './src/server/ops/backup/backUp.ts'
    const settings = { BACKUP_DIR: process.argv[3], BACKUP_RECIPIENT: '', FILES_URL: '', TIME_ZONE: 'Europe/London' }
    const progress = () => {
      process.stdout.write('begun\\n')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    }
    await backUp(process.argv[2], settings, { progress })`
  await build({
    stdin: { contents, resolveDir: process.cwd() },
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  ends.push(() => rmSync(bundle, { force: true }))
  const child = spawn(process.execPath, [bundle, url, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  ends.push(() => child.kill('SIGKILL'))
  await once(createInterface(child.stdout), 'line')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.signalCode === null) await once(child, 'exit')
}

function flip(path: string): void {
  const bytes = readFileSync(path)
  bytes[Math.floor(bytes.length / 2)] ^= 1
  writeFileSync(path, bytes)
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'pipe' })
    return process.getuid?.() === 0
  } catch {
    return false
  }
}

describe('BACKUP_AT', () => {
  it('has one of two servers write the backup of a day, and one that was off catches up at its start', async () => {
    const own = await freshDatabase()
    ends.push(own.drop)
    const settings = settingsFor('daily', { BACKUP_AT: '02:30' })
    const servers = [1, 2].map(() => {
      const { db, close } = openDatabase(own.url)
      ends.push(close)
      return { db, log: { info: () => undefined, error: (...line: unknown[]) => logged.push(line) } }
    })
    const logged: unknown[] = []
    const startBoth = async () => {
      const ending = new AbortController()
      const pendingWork = new Set<Promise<void>>()
      for (const server of servers)
        startBackups({ ...server, ending: ending.signal, pendingWork } as unknown as FastifyInstance, {
          url: own.url,
          settings,
        })
      await Promise.all(pendingWork)
      ending.abort()
    }
    await startBoth()
    await startBoth()
    expect(backupsIn(settings.BACKUP_DIR)).toHaveLength(1)
    const slot = lastSlot('02:30', settings.TIME_ZONE, new Date())
    expect(
      await count(own.url, 'job_runs', `name = 'backup' and ok and hour = '${slot.toISOString()}'`),
    ).toBe(1)
    // As if that had been the backup of the day before.
    await withClient((client) => client.query(`update job_runs set hour = hour - interval '1 day'`), own.url)
    const [{ name }] = backupsIn(settings.BACKUP_DIR)
    await expect.poll(() => backupName(new Date())).not.toBe(name)
    await startBoth()
    expect(logged).toEqual([])
    expect(await count(own.url, 'job_runs', `name = 'backup' and ok`)).toBe(2)
  })

  it('logs in words why a backup failed, and nothing of a record', async () => {
    const own = await freshDatabase()
    ends.push(own.drop)
    const logged: unknown[] = []
    const BACKUP_RECIPIENT = 'age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq'
    await backUpSlot({
      url: own.url,
      settings: settingsFor('failing', { BACKUP_RECIPIENT }),
      slot: new Date('2026-11-26T02:30:00Z'),
      log: { info: () => undefined, error: (...line: unknown[]) => logged.push(line) } as never,
      ending: new AbortController().signal,
    })
    expect(logged).toEqual([
      [
        { code: undefined, why: expect.stringMatching(/is not a public key of age/) },
        'the daily backup failed',
      ],
    ])
    expect(await count(own.url, 'job_runs', `name = 'backup' and not ok and error_code = 'refused'`)).toBe(1)
  })
})
