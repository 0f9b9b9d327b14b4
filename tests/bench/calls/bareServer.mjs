import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { later } from '../cleanUp.mjs'

/** Starts the yardstick as a process of its own; answers its address. */
export async function startBare(url) {
  const child = fork(path.join(import.meta.dirname, 'bare.mjs'), {
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: url },
  })
  later(async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  const [{ address }] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`bare.mjs exited with ${code}`))),
  ])
  return address
}
