import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startWorld } from './world.ts'

it('stops while a browser holds a connection that it opened ahead, and a stream', async () => {
  const world = await startWorld()
  const { hostname, port } = new URL(world.address)
  const ahead = connect(Number(port), hostname)
  await once(ahead, 'connect')
  const { key } = await world.as('advocate')
  const stream = await fetch(`${world.address}/api/news/stream`, {
    headers: { authorization: `Token ${key}` },
  })
  const closed = once(ahead, 'close')
  await world.end()
  await closed
  expect(await stream.text()).toContain('event: published')
})
