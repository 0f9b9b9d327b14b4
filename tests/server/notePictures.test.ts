import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import { forgetFiles } from '../../src/server/ops/jobs/forgetFiles.ts'
import { type Caller, describeServer } from './context.ts'
import { PDF, upload } from './upload.ts'

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])
const WEBP = new TextEncoder().encode('RIFF0000WEBPVP8 ')

const context = describeServer()
let admin: Caller
let advocate: Caller
/** A case type without records. */
let id: number
let pictures: string
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  const made = await admin('caseTypes.create', {
    body: { label: 'With a map', service: 1, case_meta: note('None yet'), issue_meta: [], tests: [] },
  })
  expect(made.status).toBe(201)
  id = made.body.id
  pictures = `/api/case_types/${id}/pictures`
})

const note = (text: string): Group[] => [
  { name: 'maps', label: 'Maps', fields: [{ name: 'map', label: 'Way in', type: 'note', attrs: { text } }] },
]
const read = async () => (await admin('caseTypes.read', { params: { id } })).body
const publish = async (text: string) => {
  const { version } = await read()
  const { status, body } = await admin('caseTypes.update', {
    params: { id },
    body: { version, case_meta: note(text), issue_meta: [], tests: [] },
  })
  return status === 200 ? status : body
}
const MISSING = "The picture 'Map' of 'Way in' is not here; upload it again or remove it"
const missing = { 'case_meta.0.fields.0.attrs.text': [MISSING] }

it('is uploaded by administrators, and read by others once it is published', async () => {
  const { status, body } = await upload(admin, pictures, 'map.png', PNG)
  expect([status, body]).toEqual([201, { id: body.id, name: 'map.png', type: 'image/png', size: PNG.length }])
  const path = `/api/files/${body.id}`
  expect((await admin.raw(path)).status).toBe(200)
  expect((await advocate.raw(path)).status).toBe(404)
  expect((await upload(advocate, pictures, 'map.png', PNG)).status).toBe(403)
  expect(await publish(`![Map](${path})`)).toBe(200)
  const shown = await advocate.raw(path)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
})

it('is png, jpeg or webp, by its content', async () => {
  const { status, body } = await upload(admin, pictures, 'map.webp', WEBP)
  expect([status, body.type]).toEqual([201, 'image/webp'])
  for (const [name, content] of [
    ['map.webp', 'RIFF0000WAVE'],
    ['map.pdf', PDF],
    ['map.svg', '<svg/>'],
  ]) {
    const refused = await upload(admin, pictures, name, content)
    expect([refused.status, refused.body]).toEqual([
      400,
      { file: ['The file must be one of png, jpg, jpeg, webp, and be what its name says'] },
    ])
  }
})

it('is published with words for it only, and from here only', async () => {
  const { body } = await upload(admin, pictures, 'map.png', PNG)
  const refusal = async (text: string) => Object.values(await publish(text)).flat()
  const path = `/api/files/${body.id}`
  expect(await refusal(`![ ](${path})`)).toEqual([
    `Say in words what the picture of 'Way in' shows: ![words](${path})`,
  ])
  const elsewhere = ["'Way in' shows a picture that was not uploaded here; upload it or remove it"]
  expect(await refusal('![Map](https://example.org/map.png)')).toEqual(elsewhere)
  expect(await refusal('![Map](data:image/png;base64,AAAA)')).toEqual(elsewhere)
  expect(await refusal(`![Map](${path}/../../staff)`)).toEqual(elsewhere)
})

it('is missing if its file is not there, or is not a picture of a case type', async () => {
  expect(await publish('![Map](/api/files/999999)')).toEqual(missing)
  const own = (await upload(admin, '/api/files', 'map.png', PNG)).body
  expect(await publish(`![Map](/api/files/${own.id})`)).toEqual(missing)
  const check = async (text: string) => {
    const body = { label: 'Advocacy', case_meta: note(text), issue_meta: [] }
    return (await admin('caseTypes.checkShape', { params: { id }, body })).body
  }
  expect(await check('![Map](/api/files/999999)')).toEqual({ errors: {}, missing })
  const { body } = await upload(admin, pictures, 'map.png', PNG)
  expect(await check(`![Map](/api/files/${body.id})`)).toEqual({ errors: {}, missing: {} })
})

it('is deleted once it is old and no draft names it', async () => {
  const ids = await Promise.all(
    ['a.png', 'b.png'].map(async (name) => (await upload(admin, pictures, name, PNG)).body.id as number),
  )
  const { version } = await read()
  const draft = await admin('caseTypes.saveDraft', {
    params: { id },
    body: {
      rev: 0,
      base_version: version,
      label: 'Advocacy',
      case_meta: note(`![Map](/api/files/${ids[0]})`),
      issue_meta: [],
    },
  })
  expect(draft.status).toBe(200)
  await sql`update files set created_at = now() - interval '32 days'`.execute(context.db)
  await forgetFiles({ db: context.db })
  const { rows } = await sql<{ id: number; entity: string }>`select id, entity from files
    where entity like 'caseType%' order by id`.execute(context.db)
  // The first is the published one.
  expect(rows.map(({ entity }) => entity)).toEqual(['caseType', 'caseTypeDraft'])
  expect(rows[1].id).toBe(ids[0])
})
