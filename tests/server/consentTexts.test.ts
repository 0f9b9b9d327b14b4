import { expect, it } from 'vitest'
import { describeServer } from './context.ts'

const context = describeServer()

it('a new consent text applies at once, and earlier ones are kept with who wrote them', async () => {
  const [admin, advocate] = [await context.as('admin'), await context.as('advocate')]
  const applying = async () => (await advocate('auth.gdpr')).body
  const before = await applying()
  const written = await admin('consentTexts.create', { body: { text: 'You can say no.' } })
  expect(written).toMatchObject({ status: 201, body: { text: 'You can say no.', created_by: admin.id } })
  const { id } = written.body
  expect(await applying()).toEqual({ version: String(id), text: 'You can say no.' })
  const { body } = await admin('consentTexts.list')
  const versions = body.data.map((one: { id: number; text: string }) => [String(one.id), one.text])
  expect(versions).toEqual([
    [String(id), 'You can say no.'],
    ...(before.version === '' ? [] : [[before.version, before.text]]),
  ])
})

it('a consent text cannot be empty', async () => {
  const { status, body } = await (await context.as('admin'))('consentTexts.create', { body: { text: '' } })
  expect([status, Object.keys(body)]).toEqual([400, ['text']])
})
