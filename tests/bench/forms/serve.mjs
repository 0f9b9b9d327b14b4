import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { later } from '../cleanUp.mjs'

const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }
const harness = readFileSync(path.join(import.meta.dirname, 'page.js'), 'utf8')

const pageOf = (
  bundle,
  hasStyle,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${bundle}</title>
<link rel="icon" href="data:,">${hasStyle ? `<link rel="stylesheet" href="/${bundle}.css">` : ''}</head>
<body><main id="root"></main><script>${harness}</script></body></html>`

/** Serves the bundles of a folder, and at /form/<bundle> an empty page for each; answers its address. */
export async function serve(folder) {
  const server = createServer(({ url }, reply) => {
    const { pathname } = new URL(String(url), 'http://bench')
    const [, bundle] = pathname.match(/^\/form\/(\w+)$/) ?? []
    if (bundle) {
      reply.setHeader('content-type', 'text/html')
      return reply.end(pageOf(bundle, existsSync(path.join(folder, `${bundle}.css`))))
    }
    const file = path.join(folder, path.basename(pathname))
    if (!existsSync(file)) return reply.writeHead(404).end()
    reply.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream')
    reply.setHeader('cache-control', 'max-age=3600')
    reply.end(readFileSync(file))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  later(() => server.close())
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
}
