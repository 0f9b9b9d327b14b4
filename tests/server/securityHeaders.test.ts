import { readdirSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { PDF, upload } from './upload.ts'

const context = describeServer()
let staff: Caller
beforeAll(async () => {
  staff = await context.as('advocate')
})

const asset = (ending: string) => readdirSync('dist/web/assets').find((name) => name.endsWith(ending))!

/** A reply of each kind, by its address: `accept` and further headers of the request, and the status that it has. */
const REPLIES: [address: () => string, status: number, headers?: Record<string, string>][] = [
  [() => '/login', 200, { accept: 'text/html' }],
  [() => '/no-such-page', 200, { accept: 'text/html' }],
  [() => '/manual', 200],
  [() => `/assets/${asset('.js')}`, 200],
  [() => `/assets/${asset('.css')}`, 200],
  [() => '/assets/none.js', 404],
  [() => '/assets/', 404],
  [() => '/.git/config', 404],
  [() => '/assets/../package.json', 404],
  [() => '/contract-0.json', 200],
  [() => '/openapi.json', 200],
  [() => '/healthz', 200],
  [() => '/api_admin/csrf_token/', 200],
  [() => '/api/staff/me/info', 401, { authorization: '' }],
  [() => '/api/clients/list?oops=1', 400],
  [() => '/api/no-such-call/', 404],
  [() => '/api/%zz', 400],
  [() => `/client/${'9'.repeat(300)}/retire/`, 400],
]

function check(where: string, headers: Headers): void {
  expect([where, headers.get('x-content-type-options')]).toEqual([where, 'nosniff'])
  const policy = headers.get('content-security-policy') ?? ''
  for (const directive of ['default-src', 'object-src', 'base-uri', 'frame-ancestors'])
    expect([where, policy]).toEqual([where, expect.stringContaining(`${directive} 'none'`)])
  expect([where, headers.get('access-control-allow-origin')]).toEqual([where, null])
  expect([where, headers.get('referrer-policy')]).toEqual([where, 'same-origin'])
  expect([where, headers.get('permissions-policy')]).toEqual([where, expect.stringContaining('camera=()')])
  expect([where, headers.get('cross-origin-opener-policy')]).toEqual([where, 'same-origin'])
  expect([where, headers.get('cross-origin-resource-policy')]).toEqual([where, 'same-origin'])
}

describe('security headers', () => {
  it('stand on every kind of reply, refusals and files too', async () => {
    for (const [address, status, headers] of REPLIES) {
      const reply = await staff.raw(address(), { headers: headers ?? {} })
      expect([address(), reply.status]).toEqual([address(), status])
      check(address(), reply.headers)
    }
  })

  it('stand on the refusal of a file and on a file', async () => {
    check('refused', (await upload(staff, '/api/files', 'a.exe', 'MZ')).headers)
    const { body } = await upload(staff, '/api/files', 'a.pdf', PDF)
    const reply = await staff('files.download', { params: { id: body.id } })
    check('download', reply.headers)
    expect(reply.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('stand on the reply to a method that no call has, which repeats nothing of the request', async () => {
    const { hostname, port } = new URL(context.address)
    const reply = await new Promise<IncomingMessage>((resolve) =>
      request(
        { hostname, port, path: '/login', method: 'TRACE', headers: { 'x-secret': 'hush' } },
        resolve,
      ).end(),
    )
    const body = (await reply.toArray()).join('')
    expect([reply.statusCode, body.includes('hush')]).toEqual([404, false])
    check('TRACE', new Headers(reply.headers as Record<string, string>))
  })

  it('stand on the reply to what is not HTTP', async () => {
    const { hostname, port } = new URL(context.address)
    const text = await new Promise<string>((resolve) => {
      let received = ''
      const socket = connect(Number(port), hostname, () => socket.write('NONSENSE\r\n\r\n'))
      socket.on('data', (piece) => {
        received += piece
      })
      socket.on('close', () => resolve(received))
    })
    const [status, ...lines] = text.split('\r\n\r\n')[0].split('\r\n')
    expect(status).toBe('HTTP/1.1 400 Bad Request')
    const pairs = lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string])
    check('no HTTP', new Headers(pairs))
  })
})
