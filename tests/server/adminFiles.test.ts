import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { PDF } from './upload.ts'

const context = describeServer()
let admin: Caller
beforeAll(async () => {
  admin = await context.as('admin')
})

const send = (method: string, path: string, parts: [string, string | Blob, string?][]) => {
  const body = new FormData()
  for (const [name, value, file] of parts)
    if (typeof value === 'string') body.append(name, value)
    else body.append(name, value, file)
  return admin.raw(path, { method, body })
}
const ADD = '/api_admin/core/file/add/'
const manual = () => fetch(`${context.address}/manual`, { headers: { accept: '*/*' } })

describe('a file by a multipart form', () => {
  it('is stored with its description, whichever part comes first', async () => {
    const { status, body } = await send('POST', ADD, [
      ['file', new Blob([PDF]), 'Leaflet.pdf'],
      ['label', 'Leaflet'],
      ['status', '1'],
      ['service', '2'],
      ['downloadable', 'true'],
      ['clear_only', 'false'],
    ])
    expect([status, body.data]).toMatchObject([
      201,
      { label: 'Leaflet', status: 1, service: 2, downloadable: 'yes', file: expect.any(Number) },
    ])
    for (const who of ['advocate', 'commissioner']) {
      const reply = await (await context.as(who)).raw(`/api/files/${body.data.file}`)
      expect([who, reply.status]).toEqual([who, 200])
    }
    await send('PATCH', `/api_admin/core/file/${body.id}/change/`, [['downloadable', 'no']])
    expect((await (await context.as('advocate')).raw(`/api/files/${body.data.file}`)).status).toBe(404)
    expect((await admin.raw(`/api/files/${body.data.file}`)).status).toBe(200)
  })

  it('is exchanged, and with clear_only taken away', async () => {
    const { body } = await send('POST', ADD, [
      ['label', 'Form'],
      ['file', new Blob(['one']), 'one.txt'],
    ])
    const at = `/api_admin/core/file/${body.id}/change/`
    const second = await send('PATCH', at, [['file', new Blob(['two']), 'two.txt']])
    expect(second.body.data).toMatchObject({ label: 'Form', file: expect.any(Number) })
    expect(second.body.data.file).not.toBe(body.data.file)
    expect((await admin.raw(`/api/files/${body.data.file}`)).status).toBe(404)
    const cleared = await send('PATCH', at, [['clear_only', 'true']])
    expect([cleared.status, cleared.body.data]).toMatchObject([200, { label: 'Form', file: null }])
  })

  it('is refused where it is not what its name says, has no label, or names another service', async () => {
    const wrong = async (parts: Parameters<typeof send>[2]) => {
      const { status, body } = await send('POST', ADD, parts)
      return [status, Object.keys(body)]
    }
    expect(
      await wrong([
        ['label', 'A'],
        ['file', new Blob(['no pdf']), 'a.pdf'],
      ]),
    ).toEqual([400, ['file']])
    expect(await wrong([['file', new Blob(['text']), 'a.txt']])).toEqual([400, ['label']])
    for (const service of ['99', 'x'])
      expect(
        await wrong([
          ['label', 'A'],
          ['service', service],
          ['file', new Blob(['text']), 'a.txt'],
        ]),
      ).toEqual([400, ['service']])
  })

  it('is needed for a new one, and staff may download it or not', async () => {
    const add = (data: object) =>
      admin('admin.add', { params: { app: 'core', type: 'file' }, body: { data: { label: 'A', ...data } } })
    for (const data of [{}, { file: null }])
      expect(await add(data)).toMatchObject({ status: 400, body: { 'data.file': ['Choose file'] } })
    const { fields } = (await admin('admin.blank', { params: { app: 'core', type: 'file' } })).body
    const [file, downloadable] = ['file', 'downloadable'].map((name) =>
      fields.find((field: { name: string }) => field.name === name),
    )
    expect(file.attrs.required).toBe(true)
    expect(downloadable.attrs.options.map(({ label }: { label: string }) => label)).toEqual(['Yes', 'No'])
  })

  it('may also come by its id in JSON, as the form sends it', async () => {
    const kept = await send('POST', '/api/files', [['file', new Blob(['words']), 'a.txt']])
    const { status, body } = await admin('admin.add', {
      params: { app: 'core', type: 'file' },
      body: { data: { label: 'By id', file: kept.body.id } },
    })
    expect([status, body.data.file]).toEqual([201, kept.body.id])
    const foreign = await admin('admin.add', {
      params: { app: 'core', type: 'file' },
      body: { data: { label: 'Twice', file: kept.body.id } },
    })
    expect([foreign.status, Object.keys(foreign.body)]).toEqual([400, ['data.file']])
  })
})

describe('the user manual', () => {
  it('is the one of the product until one is uploaded, and again when that is retired or not to be downloaded', async () => {
    expect((await (await manual()).text()).includes('<h1>User Manual</h1>')).toBe(true)
    const { body } = await send('POST', ADD, [
      ['label', 'User manual'],
      ['file', new Blob([PDF]), "Zoë's manual.pdf"],
    ])
    const reply = await manual()
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(reply.headers.get('content-disposition')).toContain('inline')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    const change = (data: object) =>
      admin('admin.change', { params: { app: 'core', type: 'file', id: body.id }, body: { data } })
    for (const [data, type] of [
      [{ downloadable: 'no' }, 'text/html'],
      [{ downloadable: 'yes' }, 'application/pdf'],
      [{ status: 2 }, 'text/html'],
    ] as const) {
      await change(data)
      expect([data, (await manual()).headers.get('content-type')]).toEqual([
        data,
        expect.stringContaining(type),
      ])
    }
  })
})
