import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withClient as withNamedClient } from '../../src/server/ops/command/withClient.ts'
import { exportData } from '../../src/server/ops/transfer/exportData.ts'
import { importData } from '../../src/server/ops/transfer/importData.ts'
import { type Direction, moveFiles } from '../../src/server/ops/transfer/moveFiles.ts'
import { sha256Of } from '../../src/server/records/files/content.ts'
import { openStorage } from '../../src/server/records/files/storage.ts'
import { itInFull } from '../full.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { emptyDatabase, freshDatabase } from './database.ts'
import { type ObjectStorage, startObjectStorage } from './objectStorage.ts'

const FOLDER = 'move'
const NAME = 'a\tb\\n\u2028.txt'
/** Bytes that COPY has to escape, nothing at all, and more than comes in one piece. */
const CONTENTS = [
  Buffer.from([0, 92, 46, 10, 9, 13]),
  Buffer.alloc(0),
  Buffer.alloc(300_000, 'x\n'),
  ...Array.from({ length: 9 }, (_, i) => Buffer.from(`letter ${i}`)),
]

let storage: ObjectStorage
let database: Awaited<ReturnType<typeof freshDatabase>>
let filesUrl: string
const ends: (() => unknown)[] = []
beforeAll(async () => {
  storage = await startObjectStorage()
  filesUrl = storage.url(FOLDER)
  database = await freshDatabase()
  await withClient(async (client) => {
    await client.query(`insert into staff (username, first_name, last_name, password_hash, groups)
      values ('ann', 'Ann', 'Example', 'x', '{1}')`)
  })
})
afterAll(async () => {
  for (const end of ends) await end()
  await database?.drop()
  await storage?.end()
})
beforeEach(async () => {
  storage.objects.clear()
  storage.mode = 'answers'
  await withClient(async (client) => {
    await client.query('delete from files; delete from removed_contents')
    for (const content of CONTENTS)
      await client.query(
        `insert into files (name, type, size, content, created_by)
         select $1, 'text/plain', $2, $3, min(id) from staff`,
        [NAME, content.length, content],
      )
  })
})

const withClient = <T>(work: (client: Client) => Promise<T>, url = database.url) =>
  withNamedClient(url, 'test', work)
const move = async (direction: Direction, meanwhile?: (client: Client) => Promise<unknown>) => {
  const opened = await openStorage(filesUrl)
  return withClient(async (client) => {
    const put = async (key: string, content: Buffer) => {
      await opened.put(key, content)
      await meanwhile?.(client)
    }
    return moveFiles({ client, storage: { ...opened, put } }, direction)
  })
}

const hashOf = (content?: Buffer) => content && sha256Of(content).toString('hex')
const HASHES = CONTENTS.map(hashOf)

/** The hash of every content, in the order of the files, from where its row says that it is. */
const hashes = (url = database.url) =>
  withClient(async (client) => {
    const { rows } = await client.query<{ content: Buffer | null; storage_key: string }>(
      'select content, storage_key from files order by id',
    )
    return rows.map((row) =>
      hashOf(row.content ?? storage.objects.get(`${FOLDER}/${row.storage_key}`)?.content),
    )
  }, url)
const numberIn = (column: 'content' | 'storage_key') =>
  withClient(async (client) => (await client.query(`select count(${column})::int as n from files`)).rows[0].n)

describe('moving files', () => {
  const bytes = CONTENTS.reduce((sum, { length }) => sum + length, 0)

  it('to the storage and back keeps every byte, and leaves nothing where it was', async () => {
    expect(await move('to-storage')).toEqual({ files: CONTENTS.length, bytes, damaged: [] })
    expect([await numberIn('content'), storage.objects.size]).toEqual([0, CONTENTS.length])
    expect(await hashes()).toEqual(HASHES)
    expect(await move('to-storage')).toEqual({ files: 0, bytes: 0, damaged: [] })
    expect(await move('to-database')).toEqual({ files: CONTENTS.length, bytes, damaged: [] })
    expect([await numberIn('storage_key'), storage.objects.size]).toEqual([0, 0])
    expect(await hashes()).toEqual(HASHES)
  })

  it('keeps an object that another file has too until that is moved', async () => {
    await move('to-storage')
    await withClient((client) =>
      client.query(`insert into files (name, type, size, storage_key, sha256, created_by)
        select name, type, size, storage_key, sha256, created_by from files order by id limit 2`),
    )
    expect((await move('to-database')).damaged).toEqual([])
    expect([await numberIn('storage_key'), storage.objects.size]).toEqual([0, 0])
    expect(await hashes()).toEqual([...HASHES, ...HASHES.slice(0, 2)])
  })

  it('leaves a content that is missing or is not as it was saved, and names its file', async () => {
    await move('to-storage')
    const [first, second] = [...storage.objects.keys()]
    storage.objects.delete(first)
    storage.objects.set(second, { content: Buffer.from('?'), at: new Date() })
    const { files, damaged } = await move('to-database')
    expect([files, damaged.length, await numberIn('storage_key')]).toEqual([CONTENTS.length - 2, 2, 2])
    expect(storage.objects.get(second)?.content.toString()).toBe('?')
  })

  it('takes nothing out of the database before the storage answers what was put there', async () => {
    const opened = await openStorage(filesUrl)
    const forgetful = { ...opened, get: async () => Buffer.from('another') }
    await expect(
      withClient((client) => moveFiles({ client, storage: forgetful }, 'to-storage')),
    ).rejects.toThrow('does not answer what was put there. Nothing was removed.')
    expect(await numberIn('content')).toBe(CONTENTS.length)
  })

  it('leaves no object of a file that is deleted meanwhile', async () => {
    const { files } = await move('to-storage', (client) => client.query('delete from files'))
    expect([files, storage.objects.size]).toEqual([0, 0])
  })

  it.each<Direction>(['to-storage', 'to-database'])(
    '%s goes on where it was interrupted',
    async (direction) => {
      if (direction === 'to-database') await move('to-storage')
      const request = direction === 'to-storage' ? /^PUT / : /^GET /
      storage.trouble = { request, times: 5, mode: 'fails' }
      await expect(move(direction)).rejects.toMatchObject({ body: { code: 'storageAway' } })
      storage.mode = 'answers'
      expect(await hashes()).toEqual(HASHES)
      expect((await move(direction)).files).toBe(CONTENTS.length - 4)
      expect(await hashes()).toEqual(HASHES)
    },
  )

  itInFull('that is killed in the middle loses nothing, and a second run goes on', async () => {
    const env = { ...process.env, DATABASE_URL: database.url, FILES_URL: filesUrl }
    const run = (direction: Direction) => {
      const child = spawn(process.execPath, ['build.mjs', 'move-files', direction], { env })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
      return { child, ended: once(child, 'exit').then(([code]) => ({ code, output })) }
    }
    for (const [direction, killed] of [
      ['to-storage', /^PUT .*-/],
      ['to-database', /^DELETE /],
    ] as const) {
      storage.trouble = { request: killed, times: 5, mode: 'hangs' }
      const { child, ended } = run(direction)
      await expect.poll(() => storage.mode, { timeout: 20_000 }).toBe('hangs')
      child.kill('SIGKILL')
      await ended
      storage.mode = 'answers'
      const left = await numberIn(direction === 'to-storage' ? 'content' : 'storage_key')
      expect(left).toBeGreaterThan(0)
      expect(left).toBeLessThan(CONTENTS.length)
      expect(await hashes()).toEqual(HASHES)
      const { code, output } = await run(direction).ended
      expect([code, output]).toEqual([0, expect.stringContaining(`Moved ${left} files`)])
      expect(await hashes()).toEqual(HASHES)
    }
    // Beside who owns it, what was put when the first run was killed: the job removes that after a day.
    const rest = [...storage.objects.keys()].filter((name) => name !== `${FOLDER}/installation`)
    expect(rest.length).toBeLessThanOrEqual(1)
  })
})

it('an export has the contents that are in the storage, and an import brings them back', async () => {
  await move('to-storage')
  await withClient((client) =>
    client.query(
      `insert into files (name, type, size, content, created_by) select $1, 'text/plain', 2, $2, min(id) from staff`,
      [NAME, Buffer.from('in')],
    ),
  )
  const parent = temporaryFolder('stored-')
  ends.push(() => rmSync(parent, { recursive: true }))
  await expect(exportData(database.url, join(parent, 'without'))).rejects.toThrow(
    'Some files are in an object storage: set FILES_URL, so that they are exported too.',
  )
  await exportData(database.url, join(parent, 'whole'), { filesUrl })
  const target = await emptyDatabase()
  ends.push(target.drop)
  await importData(target.url, join(parent, 'whole'))
  expect(await hashes(target.url)).toEqual([...HASHES, hashOf(Buffer.from('in'))])
  const facts = (url: string) =>
    withClient(async (client) => {
      const { rows } = await client.query(
        `select id, name, type, size, created_by, created_at from files order by id`,
      )
      return { rows, installation: (await client.query('select id from installation')).rows[0].id }
    }, url)
  const [from, to] = [await facts(database.url), await facts(target.url)]
  expect(to.rows).toEqual(from.rows)
  // Else it would remove what the first one still needs.
  expect(to.installation).not.toBe(from.installation)
  storage.objects.delete([...storage.objects.keys()].find((name) => name !== `${FOLDER}/installation`)!)
  await expect(exportData(database.url, join(parent, 'broken'), { filesUrl })).rejects.toThrow(
    /^The content of file \d+ is missing in the object storage/,
  )
})
