import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startTestServer } from './context.ts'

it('stops while a browser holds a connection that it opened ahead, and a stream', async () => {
  const context = await startTestServer()
  const { hostname, port } = new URL(context.address)
  const ahead = connect(Number(port), hostname)
  await once(ahead, 'connect')
  const { key } = await context.as('advocate')
  const stream = await fetch(`${context.address}/api/news/stream`, {
    headers: { authorization: `Token ${key}` },
  })
  const closed = once(ahead, 'close')
  await context.end()
  await closed
  expect(await stream.text()).toContain('event: published')
})
