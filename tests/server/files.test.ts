import http from 'node:http'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { workbook } from './bulkFiles.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'
import { PDF, upload as uploadTo } from './upload.ts'

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

const context = describeServer()
let advocate: Caller
beforeAll(async () => {
  advocate = await context.as('advocate')
  const group = {
    name: 'papers',
    label: 'Papers',
    fields: [
      { name: 'letter', label: 'Letter', type: 'file' },
      { name: 'scan', label: 'Scan', type: 'file', attrs: { accept: ['picture', 'text'], max_size: 1 } },
      { name: 'signed', label: 'Signed', type: 'signature' },
      {
        name: 'letters',
        label: 'Letters',
        type: 'repeat',
        fields: [{ name: 'letter', label: 'Letter', type: 'file' }],
      },
    ],
  }
  await sql`update case_types set case_meta = case_meta || ${JSON.stringify([group])}::jsonb where id = 1`.execute(
    context.db,
  )
})

const upload = (caller: Caller, name: string, content: BlobPart) =>
  uploadTo(caller, '/api/files', name, content)

/** How many connections the server has. */
const connections = () =>
  new Promise<number>((resolve) => context.app.server.getConnections((_, count) => resolve(count)))

/** An upload that has sent its first half only; `finish` sends the rest and answers the status. */
function slowUpload() {
  const { hostname, port } = new URL(context.address)
  const line = '--half'
  const request = http.request({
    hostname,
    port,
    path: '/api/files',
    method: 'POST',
    headers: { ...advocate.headers, 'content-type': 'multipart/form-data; boundary=half' },
  })
  request.write(`${line}\r\nContent-Disposition: form-data; name="file"; filename="slow.txt"\r\n\r\nfirst `)
  return {
    finish: () =>
      new Promise<number | undefined>((resolve, reject) => {
        request.on('response', (reply) => resolve(reply.resume().statusCode))
        request.on('error', reject)
        request.end(`and last words\r\n${line}--\r\n`)
      }),
  }
}

describe('an uploaded file', () => {
  it('is its uploader’s alone until a save attaches it, then its readers’', async () => {
    const { id: caseId } = await createCase(advocate)
    const { status, body } = await upload(advocate, 'letter.pdf', PDF)
    expect([status, body]).toEqual([
      201,
      { id: expect.any(Number), name: 'letter.pdf', type: 'application/pdf', size: PDF.length },
    ])
    const manager = await context.as('manager')
    await sql`update issues set advocate = ${advocate.id} where "case" = ${caseId}`.execute(context.db)
    const download = (who: Caller) => who('files.download', { params: { id: body.id } })
    expect((await download(manager)).status).toBe(404)
    const saved = await advocate('cases.update', {
      params: { id: caseId },
      body: { answers: { letter: body.id } },
    })
    expect(saved.body.answers.letter).toBe(body.id)
    const got = await download(manager)
    expect([got.status, got.body]).toEqual([200, PDF])
    expect(got.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''letter.pdf")
    expect(got.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await download(await context.as('stranger'))).status).toBe(404)
  })

  it('that is part of a record no longer belongs to its uploader once they may not see the record', async () => {
    const { issue } = await createCase(await context.as('admin'))
    const assign = (username: string) =>
      sql`update issues set advocate = (select id from staff where username = ${username})
        where id = ${issue}`.execute(context.db)
    await assign('advocate')
    const { file } = (await uploadTo(advocate, `/issue/${issue}/file/`, 'letter.pdf', PDF)).body
    const statuses = async () => [
      (await advocate('files.read', { params: { id: file } })).status,
      (await advocate('files.download', { params: { id: file } })).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    await assign('partner')
    expect(await statuses()).toEqual([404, 404])
  })

  it('in a row of many is attached just so, and moves with its row', async () => {
    const { id } = await createCase(advocate)
    const [first, second] = [
      (await upload(advocate, 'one.pdf', PDF)).body.id,
      (await upload(advocate, 'two.pdf', PDF)).body.id,
    ]
    const save = async (letters: object[]) =>
      advocate('cases.update', { params: { id }, body: { answers: { letters } } })
    expect((await save([{ row: 'a', letter: first }])).status).toBe(200)
    const rows = [
      { row: 'b', letter: second },
      { row: 'a', letter: first },
    ]
    expect((await save(rows)).body.answers.letters).toEqual(rows)
    const manager = await context.as('manager')
    await sql`update issues set advocate = ${advocate.id} where "case" = ${id}`.execute(context.db)
    for (const file of [first, second])
      expect((await manager('files.download', { params: { id: file } })).status).toBe(200)
    const others = (await upload(await context.as('volunteer'), 'note.txt', 'mine')).body.id
    const refused = await save([...rows, { row: 'c', letter: others }])
    expect([refused.status, refused.body]).toEqual([
      400,
      { 'answers.letters.2.letter': ['Letter: this file cannot be used here'] },
    ])
  })

  it('of somebody else, or of another record, cannot be taken', async () => {
    const first = await createCase(advocate)
    const { body } = await upload(await context.as('volunteer'), 'note.txt', 'mine')
    const refused = await advocate('cases.update', {
      params: { id: first.id },
      body: { answers: { letter: body.id } },
    })
    expect([refused.status, refused.body]).toEqual([
      400,
      { 'answers.letter': ['Letter: this file cannot be used here'] },
    ])
  })

  it.each([
    ['page.pdf', '<html>'],
    ['run.exe', 'MZ'],
    ['page.html', '<html>'],
    ['picture.png', PDF],
    ['binary.txt', 'a\0b'],
  ])('%s that is not what it says or not allowed is refused', async (name, content) => {
    const { status, body } = await upload(advocate, name, content)
    expect([status, Object.keys(body)]).toEqual([400, ['file']])
  })

  it('is refused where the field takes other kinds or smaller files', async () => {
    const { id } = await createCase(advocate)
    const save = async (name: string, content: string) => {
      const { body } = await upload(advocate, name, content)
      return (await advocate('cases.update', { params: { id }, body: { answers: { scan: body.id } } })).body
    }
    expect(await save('letter.pdf', PDF)).toMatchObject({
      'answers.scan': ['Scan must be a picture or a text file'],
    })
    expect(await save('note.txt', 'a'.repeat(1_000_001))).toMatchObject({
      'answers.scan': ['Scan must be 1 MB or smaller'],
    })
    expect((await save('NOTE.TXT', 'a'.repeat(1_000_000))).answers.scan).toEqual(expect.any(Number))
  })

  it('is a signature only as the picture that was drawn', async () => {
    const { id } = await createCase(advocate)
    const save = async (name: string, content: BlobPart) => {
      const { body } = await upload(advocate, name, content)
      const answers = { signed: body.id }
      return { file: body.id, ...(await advocate('cases.update', { params: { id }, body: { answers } })) }
    }
    const refused = await save('letter.pdf', PDF)
    expect([refused.status, refused.body]).toEqual([
      400,
      { 'answers.signed': ['Signed must be drawn or typed here'] },
    ])
    const { status, body, file } = await save('signature.png', PNG)
    expect([status, body.answers.signed]).toEqual([200, file])
    const { headers } = await advocate('files.download', { params: { id: file } })
    expect(headers.get('content-type')).toBe('image/png')
  })

  it.each(['__proto__', 'a.__proto__', 'a.constructor'])('called %s is refused', async (name) => {
    const { status, body } = await upload(advocate, name, 'words')
    expect([status, Object.keys(body)]).toEqual([400, ['file']])
  })

  it('that is called an Office document must be one, without macros, and not too large when unpacked', async () => {
    const { CFB } = xlsx
    const zipOf = (...names: string[]) => {
      const zip = CFB.utils.cfb_new()
      for (const name of names) CFB.utils.cfb_add(zip, name, Buffer.from('<x/>'))
      return new Uint8Array(CFB.write(zip, { type: 'buffer', fileType: 'zip' }) as Buffer)
    }
    const word = ['/[Content_Types].xml', '/word/document.xml']
    const sizeless = Buffer.from(zipOf(...word))
    // The size when unpacked, as the table of contents says it of its first file.
    sizeless.writeUInt32LE(200_000_000, sizeless.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24)
    const NOT = expect.stringContaining('be what its name says')
    for (const [name, content, words] of [
      ['a.docx', zipOf('/a.txt'), NOT],
      ['a.docx', zipOf('/word/document.xml'), NOT],
      ['a.docx', zipOf('/[Content_Types].xml', '/xl/workbook.xml'), NOT],
      ['a.docx', Uint8Array.of(0x50, 0x4b, 3, 4), NOT],
      ['a.docx', zipOf(...word, '/word/../../a.exe'), NOT],
      ['a.xlsx', zipOf(...word), NOT],
      ['a.DOCX', zipOf(...word, '/word/vbaProject.bin'), 'The file holds macros: save it without them'],
      ['a.docx', new Uint8Array(sizeless), 'The file is too large when it is unpacked'],
    ] as const) {
      const { status, body } = await upload(advocate, name, content)
      expect([name, status, body]).toEqual([name, 400, { file: [words] }])
    }
    expect((await upload(advocate, 'a.docx', zipOf(...word))).status).toBe(201)
    expect((await upload(advocate, 'a.xlsx', workbook([['Name'], ['Ann']]))).status).toBe(201)
  })

  it('keeps a hostile name harmless', async () => {
    const { body } = await upload(advocate, '../../etc/"Bögen\'; x.txt', 'words')
    expect(body.name).toMatch(/^[^/\\]+\.txt$/)
    const { headers } = await advocate('files.download', { params: { id: body.id } })
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''[\w%.-]+$/)
  })

  it('that is a text comes with a charset, any other without', async () => {
    for (const [name, type] of [
      ['a.txt', 'text/plain; charset=utf-8'],
      ['a.csv', 'text/csv; charset=utf-8'],
      ['a.eml', 'message/rfc822'],
    ]) {
      const { body } = await upload(advocate, name, 'Zoë')
      const reply = await advocate('files.download', { params: { id: body.id } })
      expect([name, reply.headers.get('content-type')]).toEqual([name, type])
    }
  })

  it('counts once for a key; another file under the same key is refused', async () => {
    const send = (content: string) => {
      const body = new FormData()
      body.append('file', new Blob([content]), 'note.txt')
      return advocate.raw('/api/files', {
        method: 'POST',
        body,
        headers: { 'idempotency-key': 'one-upload-1' },
      })
    }
    const [first, again, other] = [await send('words'), await send('words'), await send('other words')]
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    expect([other.status, other.body.code]).toEqual([409, 'usedKey'])
  })

  it('that comes slowly keeps nobody else waiting, nor a connection of the database', async () => {
    const slow = Array.from({ length: 12 }, () => slowUpload())
    await expect.poll(connections).toBeGreaterThanOrEqual(slow.length)
    // A later call gets its reply after the server has authenticated the uploads.
    expect((await advocate('auth.me')).status).toBe(200)
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and state = 'idle in transaction'`.execute(context.db)
    expect(rows).toEqual([])
    expect(await Promise.all(slow.map(({ finish }) => finish()))).toEqual(slow.map(() => 201))
  })

  it('over 10 MB is a 413', async () => {
    expect((await upload(advocate, 'big.txt', 'x'.repeat(11 * 1024 * 1024))).status).toBe(413)
  })
})
