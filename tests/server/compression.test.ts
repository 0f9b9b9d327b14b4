import { expect, it } from 'vitest'
import { describeServer } from './context.ts'

const context = describeServer()

it.each([
  ['long', '/case_type/1/', 'br, gzip', 'br'],
  ['long', '/case_type/1/', 'gzip', 'gzip'],
  ['long', '/case_type/1/', 'identity', null],
  ['short', '/api/ping/', 'br', null],
])(
  'a %s reply to %s, for somebody who reads %s, is compressed by %s',
  async (_, path, accepted, encoding) => {
    const admin = await context.as('admin')
    const { status, headers, body } = await admin.raw(path, { headers: { 'accept-encoding': accepted } })
    expect(status).toBe(200)
    expect(headers.get('content-encoding')).toBe(encoding)
    expect(headers.get('vary')).toContain('Accept')
    expect(body).toBeTypeOf('object')
  },
)
