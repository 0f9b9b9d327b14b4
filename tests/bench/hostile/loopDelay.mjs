import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const RESOLUTION = 5
const NANOSECONDS = 1e6
const MICROSECONDS = 1e3

/**
 * Loaded before the product (node --import): answers any request at the port that it writes to LOOP_DELAY_FILE with the
 * longest delay of the event loop since the request before, in milliseconds. Where other programs kept the process
 * waiting, that is more than the process computed in all, and then this counts.
 */
const { LOOP_DELAY_FILE } = process.env
if (isMainThread && LOOP_DELAY_FILE) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION })
  delays.enable()
  let before = process.cpuUsage()
  const server = createServer((_, reply) => {
    const { user, system } = process.cpuUsage(before)
    const delay = Math.max(0, delays.max / NANOSECONDS - RESOLUTION)
    delays.reset()
    before = process.cpuUsage()
    // A connection that was kept could be closed while it is asked again.
    reply.setHeader('connection', 'close').end(String(Math.min(delay, (user + system) / MICROSECONDS)))
  })
  server.listen(0, '127.0.0.1', () =>
    writeFileSync(
      LOOP_DELAY_FILE,
      String(/** @type {import('node:net').AddressInfo} */ (server.address()).port),
    ),
  )
  server.unref()
}
