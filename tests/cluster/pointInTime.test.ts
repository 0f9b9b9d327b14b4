import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../src/server/ops/migrate/migrate.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type PostgresServer, query, startPrimary, until } from './postgres.ts'
import { freePort, isBeside, program, run, unprivileged } from './programs.ts'

const PAGE = readFileSync('src/server/ops/deploy/pointInTime.md', 'utf8')
/** The page's commands by the name after their language, without their indentation in lists. */
const BLOCKS = new Map(
  [...PAGE.matchAll(/^( *)```sh (\S+)\n(.*?)^ *```$/gms)].map(([, indentation, name, text]) => [
    name,
    text.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  ]),
)

let folder: string
let primary: PostgresServer
let environment: Record<string, string>
const url = (port: number) => `postgres://postgres@127.0.0.1:${port}/advocacy`

const hasPrograms = isBeside('postgres', 'pg_basebackup') && isBeside('postgres', 'pg_archivecleanup')

describe.runIf(hasPrograms)('the page on points in time (needs pg_basebackup beside postgres)', () => {
  beforeAll(async () => {
    folder = temporaryFolder('point-in-time-')
    chmodSync(folder, 0o755)
    primary = await startPrimary(join(folder, 'primary'))
    await query(primary.url('postgres'), 'create database advocacy')
    await migrate(url(primary.port))
    const own = join(folder, 'own')
    mkdirSync(own)
    const { uid, gid } = unprivileged()
    if (uid !== undefined) chownSync(own, uid, gid!)
    environment = {
      PGHOST: '127.0.0.1',
      PGPORT: String(primary.port),
      PGUSER: 'postgres',
      PGDATA: join(folder, 'primary/data'),
      ARCHIVE: join(own, 'archive'),
      RESTORED: join(own, 'restored'),
      RESTORED_PORT: String(await freePort()),
      PATH: `${join(program('pg_basebackup'), '..')}:${process.env.PATH}`,
    }
  })
  afterAll(async () => {
    for (const data of [environment.RESTORED, environment.PGDATA]) {
      try {
        run('pg_ctl', 'stop', '-D', data, '-m', 'immediate')
      } catch {
        // It was not started.
      }
    }
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs a block as the page's reader does, in the folders of this test. */
  const follow = (name: string): string =>
    execFileSync('bash', ['-euc', BLOCKS.get(name)!], {
      ...unprivileged(),
      cwd: join(folder, 'own'),
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })

  it('has a value in this test for each of its settings', () => {
    const names = [...BLOCKS.get('settings')!.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name)
    expect(names.sort()).toEqual(Object.keys(environment).sort())
  })

  it('brings back the second before a mistake, and what was written after the base backup', async () => {
    const insert = (on: number, username: string) =>
      query(url(on), `insert into access_log (username, succeeded) values ('${username}', true)`)
    const namesOn = async (port: number) =>
      (await query(url(port), 'select username from access_log order by id')).map(({ username }) => username)
    follow('archive')
    await insert(primary.port, 'before the base backup')
    follow('base')
    follow('report')
    await insert(primary.port, 'after the base backup')
    const [{ at }] = await query(primary.url('postgres'), 'select now()::text as at')
    // A commit of its own ends the replay; times have microseconds.
    await query(url(primary.port), `update access_log set username = 'mistake'`)
    expect(BLOCKS.get('time')).toMatch(/^export TARGET='[^']+'\n$/)
    environment.TARGET = String(at)
    follow('switch')
    expect(follow('check')).toMatch(/\|\s+0 \|\s+\n/)
    const began = performance.now()
    follow('restore')
    follow('wait')
    const restored = Number(environment.RESTORED_PORT)
    expect(await namesOn(restored)).toEqual(['before the base backup', 'after the base backup'])
    await expect(insert(restored, 'too early')).rejects.toThrow('read-only')
    follow('open')
    console.log(`Restored to a point in time in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
    await insert(restored, 'after the restore')
    expect(await namesOn(restored)).toHaveLength(3)
    const segments = () => readdirSync(join(environment.ARCHIVE, 'wal')).length
    const before = segments()
    for (let i = 0; i < 4; i++) {
      // Base backups are named by their second.
      const second = () => Math.floor(Date.now() / 1000)
      const begun = second()
      await until(async () => second() > begun)
      follow('base')
    }
    follow('switch')
    follow('clean')
    expect(readdirSync(join(environment.ARCHIVE, 'base'))).toHaveLength(4)
    expect(segments()).toBeLessThan(before + 8)
    // None of the page's commands was left out.
    expect([...BLOCKS.keys()]).toEqual([
      'settings',
      'archive',
      'base',
      'report',
      'check',
      'time',
      'switch',
      'restore',
      'wait',
      'open',
      'clean',
    ])
  })
})
