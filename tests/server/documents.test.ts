import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'
import { PDF, upload } from './upload.ts'

const context = describeServer()
let advocate: Caller
let partner: Caller
let issue: number
beforeAll(async () => {
  advocate = await context.as('advocate')
  partner = await context.as('partner')
  issue = (await createCase(advocate)).issue
  await sql`update issues set advocate = ${advocate.id} where id = ${issue}`.execute(context.db)
})

const add = (name: string, content: BlobPart = 'words', who = advocate) =>
  upload(who, `/issue/${issue}/file/`, name, content)
const list = async () => (await advocate('documents.ofIssue', { params: { id: issue } })).body

describe('the documents of an issue', () => {
  it('are uploaded, listed and downloaded by those who see the issue, and by nobody else', async () => {
    const { status, body } = await add('letter.pdf', PDF)
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        issue,
        name: 'letter.pdf',
        type: 'application/pdf',
        size: PDF.length,
        created_by: advocate.id,
      }),
    ])
    const { data, pagination } = await list()
    expect([data, pagination.count]).toEqual([[body], 1])
    const manager = await context.as('manager')
    const got = await manager('files.download', { params: { id: body.file } })
    expect([got.status, got.body]).toEqual([200, PDF])
    expect(Object.fromEntries(got.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': "attachment; filename*=UTF-8''letter.pdf",
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*; sandbox$/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect((await add('theirs.txt', 'words', partner)).status).toBe(404)
    expect((await partner('documents.ofIssue', { params: { id: issue } })).status).toBe(404)
    expect((await partner('files.download', { params: { id: body.file } })).status).toBe(404)
    expect((await partner('documents.rename', { params: { id: body.id }, body: { name: 'x' } })).status).toBe(
      404,
    )
    expect((await partner('documents.remove', { params: { id: body.id } })).status).toBe(404)
  })

  it.each([
    ['a page that says it is a PDF', 'page.pdf', '<html>'],
    ['a program', 'run.exe', 'MZ'],
    ['a page', 'page.html', '<html>'],
    ['a picture that is none', 'picture.png', PDF],
    ['a name without an ending', 'letter', 'words'],
  ])('do not take %s', async (_, name, content) => {
    const { status, body } = await add(name, content)
    expect([status, Object.keys(body)]).toEqual([400, ['file']])
  })

  it('take files up to 10 MB', async () => {
    const { count } = (await list()).pagination
    expect((await add('most.txt', 'x'.repeat(10 * 1024 * 1024))).status).toBe(201)
    const refused = await add('more.txt', 'x'.repeat(10 * 1024 * 1024 + 1))
    expect([refused.status, refused.body.message]).toEqual([413, 'Uploaded file is too large'])
    expect((await list()).pagination.count).toBe(count + 1)
  })

  it('need a file in a form', async () => {
    const empty = await advocate.raw(`/issue/${issue}/file/`, { method: 'POST', body: new FormData() })
    expect([empty.status, empty.body]).toEqual([400, { file: ['Choose a file'] }])
    expect((await advocate('documents.upload', { params: { id: issue }, body: {} })).status).toBe(415)
  })

  it.each([
    ['umlauts', 'Bögen für Zoë – 1.txt', 'Bögen für Zoë – 1.txt'],
    ['an apostrophe and brackets', "O'Brien (2).txt", "O'Brien (2).txt"],
    ['a path', '../../etc/passwd.txt', 'passwd.txt'],
    ['a path of Windows', 'C:\\Users\\me\\list.txt', 'list.txt'],
    ['300 letters', `${'ä'.repeat(300)}.txt`, `${'ä'.repeat(200)}${'ä'.repeat(16)}.txt`],
  ])('keep a name with %s', async (_, name, kept) => {
    const { status, body } = await add(name)
    expect([status, body.name]).toEqual([201, kept])
    const { headers } = await advocate('files.download', { params: { id: body.file } })
    const header = headers.get('content-disposition')!
    expect(header).toMatch(/^attachment; filename\*=UTF-8''[\w%.-]+$/)
    expect(decodeURIComponent(header.split("''")[1])).toBe(kept)
  })

  it('are renamed, and the file is saved under the new name with its own ending', async () => {
    const { id, file } = (await add('scan0001.txt')).body
    const rename = (body: object) => advocate('documents.rename', { params: { id }, body })
    const saved = async () =>
      (await advocate('files.download', { params: { id: file } })).headers.get('content-disposition')
    expect((await rename({ name: 'Consent form' })).body).toMatchObject({ name: 'Consent form', version: 2 })
    expect(await saved()).toBe("attachment; filename*=UTF-8''Consent%20form.txt")
    await rename({ name: '../run.exe' })
    expect(await saved()).toBe("attachment; filename*=UTF-8''run.exe.txt")
    await rename({ name: 'Notes.TXT' })
    expect(await saved()).toBe("attachment; filename*=UTF-8''Notes.TXT")
    for (const body of [{ name: '' }, { name: null }, { name: 'x'.repeat(256) }]) {
      const refused = await rename(body)
      expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['name']])
    }
    expect((await rename({ file: 1 })).body).toEqual({ file: ['File cannot be set here'] })
  })

  it('are removed with their file', async () => {
    const { id, file } = (await add('wrong.txt')).body
    expect((await advocate('documents.remove', { params: { id } })).status).toBe(204)
    expect((await advocate('files.download', { params: { id: file } })).status).toBe(404)
    const { rows } = await sql`select 1 from files where id = ${file}`.execute(context.db)
    expect(rows).toEqual([])
  })
})
