import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { later } from '../cleanUp.mjs'

/**
 * A request whose values nobody validates.
 * @typedef {import('fastify').FastifyRequest<Record<'Params' | 'Querystring' | 'Body', Record<string, any>>>} BareRequest
 */

/** Starts a yardstick of a part, its `bare.mjs` or another one, as a process of its own; answers its address. */
export async function startBare(part, url, file = 'bare.mjs') {
  const child = fork(path.join(import.meta.dirname, '..', part, file), {
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: url },
  })
  later(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  const [{ address }] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${part}/${file} exited with ${code}`))),
  ])
  return address
}
