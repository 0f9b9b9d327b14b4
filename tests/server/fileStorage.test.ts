import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { claimStorage, storedFilesWarning } from '../../src/server/ops/command/claimStorage.ts'
import { removeContents } from '../../src/server/ops/jobs/removeContents.ts'
import { start } from '../../src/server/ops/start/start.ts'
import { readContent } from '../../src/server/records/files/content.ts'
import { send, workbook } from './bulkFiles.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'
import { createCase } from './newCase.ts'
import { type ObjectStorage, startObjectStorage } from './objectStorage.ts'
import { PDF, upload } from './upload.ts'

const FOLDER = 'casework'
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const DAY = 86_400_000

let storage: ObjectStorage
let context: TestContext
let advocate: Caller
let made: Awaited<ReturnType<typeof createCase>>
beforeAll(async () => {
  storage = await startObjectStorage()
  context = await startTestServer({ FILES_URL: storage.url(FOLDER) })
  advocate = await context.as('advocate')
  made = await createCase(advocate)
  await sql`update issues set advocate = ${advocate.id} where id = ${made.issue}`.execute(context.db)
})
afterAll(async () => {
  await context?.end()
  await storage?.end()
})
beforeEach(() => {
  storage.mode = 'answers'
})

const add = (name = 'letter.pdf', content: BlobPart = PDF, who = advocate) =>
  upload(who, `/issue/${made.issue}/file/`, name, content)
const download = (id: number, who = advocate) => who('files.download', { params: { id } })
const runJob = () =>
  removeContents({
    db: context.db,
    settings: readSettings({ FILES_URL: storage.url(FOLDER) }),
    ending: new AbortController().signal,
  })
/** Makes what was removed, and every object, two days older. */
async function age(): Promise<void> {
  for (const object of storage.objects.values()) object.at = new Date(Date.now() - 2 * DAY)
  await sql`update removed_contents set removed_at = now() - interval '2 days'`.execute(context.db)
}

async function rowOf(file: number) {
  const { rows } = await sql<{ content: Buffer | null; storage_key: string | null }>`
    select content, storage_key from files where id = ${file}`.execute(context.db)
  return rows[0]
}
const nameOf = async (file: number) => `${FOLDER}/${(await rowOf(file)).storage_key}`

describe('with an object storage', () => {
  it('a file is stored under a key of its own, and read by people who may open it', async () => {
    const { status, body } = await add()
    expect([status, body.size]).toEqual([201, PDF.length])
    const { content, storage_key } = await rowOf(body.file)
    expect(content).toBe(null)
    expect(storage.objects.get(`${FOLDER}/${storage_key}`)?.content.toString()).toBe(PDF)
    const got = await download(body.file, await context.as('manager'))
    expect([got.status, got.body, got.headers.get('content-type')]).toEqual([200, PDF, 'application/pdf'])
    expect((await download(body.file, await context.as('partner'))).status).toBe(404)
  })

  it('every way to keep a file puts it there before the transaction begins, and reads it from there', async () => {
    const admin = await context.as('admin')
    const kept = async (reply: { status: number; body: { id: number } }) => {
      expect(reply.status).toBe(201)
      expect((await rowOf(reply.body.id)).content).toBe(null)
    }
    await kept(await upload(advocate, '/api/files', 'notes.txt', 'words'))
    await kept(await upload(admin, '/api/case_types/1/pictures', 'map.png', PNG))
    const manual = new FormData()
    manual.append('label', 'User manual')
    manual.append('file', new Blob(['how to']), 'manual.txt')
    const item = await admin.raw('/api_admin/core/file/add/', { method: 'POST', body: manual })
    expect((await rowOf(item.body.data.file)).content).toBe(null)
    const page = await fetch(`${context.address}/manual`)
    expect([page.status, await page.text()]).toEqual([200, 'how to'])
    const { body } = await send(await context.as('hubmanager'), workbook([['First name'], ['Ann']]))
    const state = async () => {
      const { rows } = await sql<{ state: string; total: number }>`select state, total from bulk_uploads
        where id = ${body.data[0].id}`.execute(context.db)
      return rows[0]
    }
    await expect.poll(state).toMatchObject({ total: 1, state: 'mapping' })
  })

  it('nothing that is refused by its content is put there', async () => {
    const before = storage.objects.size
    for (const [name, content] of [
      ['page.pdf', '<html>'],
      ['run.exe', 'MZ'],
    ])
      expect((await add(name, content)).status).toBe(400)
    expect(storage.objects.size).toBe(before)
  })

  it('a call that is rolled back leaves no file, and its object goes after a day', async () => {
    const kept = (await add()).body.file
    const before = new Set(storage.objects.keys())
    const theirs = await context.as('partner')
    expect((await add('theirs.pdf', PDF, theirs)).status).toBe(404)
    const [orphan] = [...storage.objects.keys()].filter((name) => !before.has(name))
    const { rows } = await sql`select from files where name = 'theirs.pdf'`.execute(context.db)
    expect([rows, orphan]).toEqual([[], expect.stringMatching(/^casework\/[0-9a-f-]{36}$/)])
    await runJob()
    expect(storage.objects.has(orphan)).toBe(true)
    storage.objects.set(`${FOLDER}/read me.txt`, { content: Buffer.from('mine'), at: new Date(0) })
    await age()
    storage.pageSize = 2
    await runJob()
    storage.pageSize = 1000
    expect([storage.objects.has(orphan), storage.objects.has(`${FOLDER}/read me.txt`)]).toEqual([false, true])
    expect((await download(kept)).body).toBe(PDF)
  })

  it('what a removal or a purge deletes is noted with it, and goes from the storage after a day', async () => {
    const other = await createCase(advocate)
    const removed = (await add()).body
    const purged = (await upload(advocate, `/issue/${other.issue}/file/`, 'old.pdf', PDF)).body
    const names = [await nameOf(removed.file), await nameOf(purged.file)]
    expect((await advocate('documents.remove', { params: { id: removed.id } })).status).toBe(204)
    const manager = await context.as('manager')
    await manager('clients.retire', { params: { id: other.client } })
    await manager('cases.retire', { params: { id: other.id } })
    await manager('issues.retire', { params: { id: other.issue } })
    expect((await manager('clients.purge', { params: { id: other.client } })).status).toBe(200)
    expect([await rowOf(removed.file), await rowOf(purged.file)]).toEqual([undefined, undefined])
    const isThere = () => names.map((name) => storage.objects.has(name))
    await runJob()
    expect(isThere()).toEqual([true, true])
    await age()
    await runJob()
    expect(isThere()).toEqual([false, false])
    const { rows } = await sql`select from removed_contents`.execute(context.db)
    expect(rows).toEqual([])
  })

  it('a document of an accepted referral has the object of the one that was sent, which goes a day after both', async () => {
    await sql`insert into lookup (kind, value, label) values ('hub', 1, 'East'), ('hub', 2, 'West')
      on conflict do nothing`.execute(context.db)
    const [hub, admin] = [await context.as('hub'), await context.as('admin')]
    const [from, to] = [await createCase(hub), await createCase(admin)]
    const sent = (await upload(hub, `/issue/${from.issue}/file/`, 'sent.pdf', PDF)).body
    const name = await nameOf(sent.file)
    const requests = storage.requests.length
    const chosen = { documents: [String(sent.id)] }
    const { body: referral } = await hub('referrals.create', {
      body: { case: from.id, hub: 2, case_type: 1, reason: 'She moves', chosen },
    })
    const params = { id: referral.id }
    const reply = await admin('referrals.setStatus', { params, body: { status: 2, case: to.id } })
    expect(reply.status).toBe(200)
    const [copy] = (await admin('documents.ofIssue', { params: { id: to.issue } })).body.data
    expect([await nameOf(copy.file), storage.requests.length]).toEqual([name, requests])
    const remove = (who: Caller, { id }: { id: number }) => who('documents.remove', { params: { id } })
    expect((await remove(hub, sent)).status).toBe(204)
    await age()
    await runJob()
    expect((await download(copy.file, admin)).body).toBe(PDF)
    expect((await remove(admin, copy)).status).toBe(204)
    await runJob()
    expect(storage.objects.has(name)).toBe(true)
    await age()
    await runJob()
    expect(storage.objects.has(name)).toBe(false)
  })

  it('a content that is not there, or is another one, is a 503 in words and never an empty file', async () => {
    const { file } = (await add()).body
    const name = await nameOf(file)
    const damaged = [Buffer.from(''), Buffer.from(PDF.replace('letter', 'lettEr'))]
    for (const content of damaged) {
      storage.objects.set(name, { content, at: new Date() })
      expect((await download(file)).body.code).toBe('contentMissing')
    }
    storage.objects.delete(name)
    const { status, body } = await download(file)
    expect([status, body]).toMatchObject([
      503,
      {
        code: 'contentMissing',
        message:
          'The storage of files does not have this file as it was saved. An administrator must look into it.',
      },
    ])
  })
})

describe('while the storage is away', () => {
  const AWAY = {
    code: 'storageAway',
    message:
      'The storage of files does not answer, so this file can be neither opened nor saved. Try again in a moment.',
  }
  const count = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from files`.execute(context.db)).rows[0].n

  it('files are refused in words, nothing of them is kept, and the product goes on', async () => {
    const { file } = (await add()).body
    const before = await count()
    storage.mode = 'fails'
    const replies = [await add(), await download(file)]
    expect(replies.map(({ status, body }) => [status, body])).toMatchObject([
      [503, AWAY],
      [503, AWAY],
    ])
    expect(await count()).toBe(before)
    expect((await createCase(advocate)).id).toBeGreaterThan(0)
    const { rows } =
      await sql`select from audit where action = 'open' and entity = 'file' and record = ${file}`.execute(
        context.db,
      )
    expect(rows).toEqual([])
    await expect(runJob()).rejects.toMatchObject({ code: 'InternalError' })
  })

  it('a storage that hangs is given up after seconds, and no writing call waits for it', async () => {
    const { file } = (await add()).body
    storage.mode = 'hangs'
    const before = storage.requests.length
    const admin = await context.as('admin')
    const hub = await context.as('hubmanager')
    const hanging = [
      download(file),
      upload(advocate, '/api/files', 'notes.txt', 'words'),
      upload(advocate, '/risk/1/upload_file/', 'risk.pdf', PDF),
      upload(advocate, '/communication_issue/1/upload_file', 'needs.pdf', PDF),
      upload(admin, '/api/case_types/1/pictures', 'map.png', PNG),
      upload(admin, '/api_admin/core/file/add/', 'leaflet.pdf', PDF),
      send(hub, workbook([['First name'], ['Ann']])),
      send(hub, workbook([['First name'], ['Ann']]), { path: '/api/bulk/1/corrected' }),
      // More than there are connections.
      ...Array.from({ length: 20 }, () => add()),
    ]
    let isAnswered = false
    void Promise.race(hanging).then(() => {
      isAnswered = true
    })
    const counted = () => storage.requests.length - before
    await expect.poll(counted).toBe(hanging.length)
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`.execute(context.db)
    expect(rows).toEqual([])
    expect((await createCase(advocate)).id).toBeGreaterThan(0)
    expect(isAnswered).toBe(false)
    const replies = await Promise.all(hanging)
    expect(new Set(replies.map(({ body }) => body.code))).toEqual(new Set(['storageAway']))
  })

  it('a server without FILES_URL says what is to be set; what is in the database is opened by both', async () => {
    const { file } = (await add()).body
    const settings = readSettings({})
    await expect(readContent({ db: context.db, settings }, file)).rejects.toMatchObject({
      statusCode: 503,
      body: { code: 'storageUnknown', message: expect.stringContaining('FILES_URL') },
    })
    const { rows } = await sql<{ id: number }>`insert into files (name, type, size, content, created_by)
      values ('own.pdf', 'application/pdf', ${PDF.length}, ${Buffer.from(PDF)}, ${advocate.id}) returning id`.execute(
      context.db,
    )
    const own = rows[0].id
    expect((await readContent({ db: context.db, settings }, own)).toString()).toBe(PDF)
    expect((await download(own)).body).toBe(PDF)
    expect(await storedFilesWarning(context.db)).toMatch(
      /^Some files are in an object storage .* set FILES_URL/,
    )
  })
})

describe('a start', () => {
  const claim = (url: string) => claimStorage(url, context.db)

  it('takes a storage that is nobody\u2019s, and its own again', async () => {
    const settings = readSettings({
      DATABASE_URL: context.databaseUrl,
      FILES_URL: storage.url('own'),
      LOG_LEVEL: 'silent',
      DEMO: '0',
      PORT: '0',
    })
    const running = await start(settings)
    await running.stop()
    expect([running.warnings, storage.objects.has('own/installation')]).toEqual([[], true])
    await claim(storage.url('own'))
  })

  it.each([
    [{ bucket: 'other' }, 'it has no such bucket (NoSuchBucket).'],
    [{ key: 'other' }, 'it does not know the key (InvalidAccessKeyId).'],
    [{ secret: 'wrong-secret' }, 'the secret is not that of the key (SignatureDoesNotMatch).'],
    [{ region: 'us-east-1' }, 'the region is another one (AuthorizationHeaderMalformed).'],
  ])('refuses %j in a sentence that names the setting and not the secret', async (other, words) => {
    const refused = claim(storage.url('own', other))
    await expect(refused).rejects.toThrow(words)
    await expect(refused).rejects.toThrow(
      /^The object storage of FILES_URL \(127\.0\.0\.1:\d+\/\w+\/own\) cannot be used: /,
    )
    await expect(refused).rejects.not.toThrow('secret@')
  })

  it('refuses a storage that cannot be reached, and says so before it listens', async () => {
    const settings = readSettings({
      DATABASE_URL: context.databaseUrl,
      FILES_URL: 's3://a:b@127.0.0.1:1/files?tls=0',
      LOG_LEVEL: 'silent',
      DEMO: '0',
      PORT: '0',
    })
    await expect(start(settings)).rejects.toThrow(
      'The object storage of FILES_URL (127.0.0.1:1/files) cannot be used: it cannot be reached or refuses (ECONNREFUSED).',
    )
  })

  it('refuses a storage that holds the files of another installation, whose job would remove them', async () => {
    await claim(storage.url('shared'))
    await sql`update installation set id = gen_random_uuid()`.execute(context.db)
    await expect(claim(storage.url('shared'))).rejects.toThrow('holds the files of another installation')
  })
})

it('Health says where files are saved, without the key', async () => {
  const { files } = (await (await context.as('admin'))('health.read')).body
  expect(files).toMatch(/^In the object storage 127\.0\.0\.1:\d+\/files\/casework$/)
})
