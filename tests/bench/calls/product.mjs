import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { later } from '../cleanUp.mjs'

const PATIENCE = 60_000
const MB = 1024
const [, ...START] = JSON.parse(readFileSync('package.json', 'utf8')).scripts.start.split(' ')

/**
 * Starts the built product as `npm start` runs it, its log going to a file in `folder`; `started` is when, in
 * milliseconds of performance.now().
 */
export async function startProduct(folder, env) {
  const log = path.join(folder, 'product.log')
  const out = openSync(log, 'w')
  const started = performance.now()
  const child = spawn(process.execPath, START, {
    env: { ...process.env, NODE_ENV: 'production', PORT: '0', DEMO: '0', DATABASE_URL: '', ...env },
    stdio: ['ignore', out, out],
  })
  closeSync(out)
  const exited = once(child, 'exit')
  const stop = later(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await exited
  })
  for (;;) {
    const said = readFileSync(log, 'utf8')
    const address = said.match(/runs at (\S+)/)?.[1]
    if (address) return { address, pid: child.pid, started, stop }
    if (child.exitCode !== null || performance.now() - started > PATIENCE)
      throw new Error(`The product does not start: ${said}`)
    await sleep(5)
  }
}

/** Milliseconds from the start of a product until a browser has its first page. */
export async function untilFirstPage({ address, started }) {
  const reply = await fetch(`${address}/login`, { headers: { accept: 'text/html' } })
  const page = await reply.text()
  const script = page.match(/src="(\/assets\/[^"]+)"/)?.[1]
  if (!script) throw new Error('The product is not built: its page has no script')
  await (await fetch(address + script)).arrayBuffer()
  return performance.now() - started
}

/** Resident memory of a process in MB. */
export function memoryOf(pid) {
  if (process.platform === 'win32') return Number.NaN
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / MB
}
