import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Contract } from '../../contract/contract.ts'
import type { Screen } from '../../contract/generated.ts'
import type { Db } from '../core/db.ts'
import { openidProviders } from '../core/openidProviders.ts'
import { rootFolder } from '../core/rootFolder.ts'
import type { Settings } from '../core/settings.ts'
import { uploadedManual } from '../records/files/manual.ts'
import { packContract, sendContract } from './servedContract.ts'

const CSP = [
  "default-src 'none'",
  "object-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CSP,
  'cache-control': 'no-store',
  vary: 'Accept, Sec-Fetch-Mode',
}
/** Pages with a secret or a code in their address: browsers must send it to nobody as a referrer. */
const NO_REFERRER = /^\/(refer\/|referral-status|sign-on\/)/
/** Comment in index.html with the preload links of a group of scripts (`GROUPS` of src/build/groups.mjs). */
const PRELOADS = /<!--(\w+): (.*?)-->/g
/** Group of scripts that a screen of this kind needs, besides those of every page. */
const GROUP_OF_KIND: Partial<Record<Screen['kind'], string>> = {
  form: 'record',
  detail: 'record',
  wizard: 'record',
  assign: 'record',
  upload: 'record',
  report: 'lists',
  search: 'lists',
}
/** Names of the page's meta elements, and the settings that they contain. */
const PAGE_SETTINGS = {
  manual: 'USER_MANUAL_URL',
  'time-zone': 'TIME_ZONE',
  product: 'PRODUCT_NAME',
  mark: 'PRODUCT_MARK',
  accent: 'ACCENT',
  organisation: 'ORGANISATION',
  help: 'HELP_CONTACT',
  'public-contact': 'PUBLIC_CONTACT',
} as const
/** --accent-base of engine/form/theme/tokens.css. */
const DEFAULT_ACCENT = '#1f5fbf'
/** Addresses that do not get the page when a browser navigates to them. */
const NOT_PAGES = /^\/(assets\/|contract-|openapi\.json|healthz|readyz|__dev|favicon|manual$)/

/**
 * Serves the app's one page, its files and the contract that it renders. Screens and calls share addresses, so a
 * browser that navigates to any of them gets the page, with or without a trailing slash.
 */
export async function registerWeb(
  app: FastifyInstance,
  folder: string,
  deps: { contract: Contract; settings: Settings; db: Db },
): Promise<void> {
  let served = packContract(deps.contract)
  let preloads = preloadsOf(deps.contract)
  const product = escapeHtml(deps.settings.PRODUCT_NAME)
  const metas = Object.entries(PAGE_SETTINGS)
    .filter(([, setting]) => deps.settings[setting] !== '')
    .map(([name, setting]) => `<meta name="${name}" content="${escapeHtml(deps.settings[setting])}">`)
    .join('')
  const signOn = signOnMeta(deps.settings)
  const icon = iconLink(deps.settings)
  const readPage = () => {
    const file = path.join(folder, 'index.html')
    return existsSync(file)
      ? readFileSync(file, 'utf8')
      : '<!doctype html><title>Not built</title>Run npm run build.'
  }
  const firstContract = served.address
  const releaseOf = (html: string) => {
    const hash = createHash('sha256').update(html).update(firstContract).digest('hex')
    return Number.parseInt(hash.slice(0, 12), 16)
  }
  const page = (address: string) => {
    const html = readPage()
    const head = `<title>${product}</title><meta name="release" content="${releaseOf(html)}"><meta name="contract" content="${served.address}"><link rel="preload" as="fetch" crossorigin href="${served.address}">${icon}${metas}${signOn}`
    const groups = preloads(address)
    return html
      .replace('<!--head-->', () => head)
      .replace(PRELOADS, (_, group, links) => (groups.includes(group) ? links : ''))
  }
  /** A static page with the app's style sheet; `values` replace its comments by name. */
  const plainPage = (file: string, values: Record<string, string>) => {
    const style = page('/manual').match(/<link rel="?stylesheet"?[^>]*>/)?.[0] ?? ''
    const parts: Record<string, string> = { style, icon, product, ...values }
    const text = readFileSync(path.join(rootFolder(), 'src/app', file), 'utf8')
    return text.replaceAll(/<!--(\w+)-->/g, (whole, name) => parts[name] ?? whole)
  }
  app.decorate('sendUnavailable', (request, reply, message) => {
    const values = { message: escapeHtml(String(message)), id: request.id }
    return reply
      .code(503)
      .headers({ ...PAGE_HEADERS, 'retry-after': '5' })
      .send(plainPage('unavailable.html', values))
  })
  app.decorate('pageRelease', () => releaseOf(readPage()))
  app.decorate('swapContract', (contract: Contract) => {
    served = packContract(contract)
    preloads = preloadsOf(contract)
    return served.address
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!isPageRequest(request)) return
    const policy = NO_REFERRER.test(request.url) && { 'referrer-policy': 'no-referrer' }
    return reply.headers({ ...PAGE_HEADERS, ...policy }).send(page(request.url.split('?')[0]))
  })
  app.get('/manual', async (_, reply) => {
    const uploaded = await uploadedManual(deps)
    if (uploaded) return reply.headers({ ...PAGE_HEADERS, ...uploaded.headers }).send(uploaded.content)
    return reply.headers(PAGE_HEADERS).send(plainPage('manual.html', {}))
  })
  app.get('/contract-:hash', { compress: false }, (request, reply) => sendContract(request, reply, served))
  // Pages that were opened before an upgrade still load the files of the previous release.
  const assets = ['assets', 'previous'].map((name) => path.join(folder, name)).filter(existsSync)
  if (assets.length === 0) return
  await app.register(staticFiles, {
    root: assets,
    prefix: '/assets/',
    index: false,
    preCompressed: true,
    maxAge: '365d',
    immutable: true,
  })
}

/** The meta element with the providers that people sign in with, and whether they may use a password instead. */
function signOnMeta({ OPENID_PROVIDERS, EMERGENCY_ACCOUNT }: Settings): string {
  const providers = openidProviders(OPENID_PROVIDERS).map(({ id, name }) => ({ id, name }))
  if (providers.length === 0) return ''
  const content = JSON.stringify({ providers, passwords: EMERGENCY_ACCOUNT === '' })
  return `<meta name="sign-on" content="${escapeHtml(content)}">`
}

/** The icon of the browser's tab: the product's mark on its accent colour, as beside its name. */
function iconLink({ PRODUCT_MARK, PRODUCT_NAME, ACCENT }: Settings): string {
  const mark = escapeHtml(PRODUCT_MARK || PRODUCT_NAME.charAt(0))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="${ACCENT || DEFAULT_ACCENT}"/><text x="12" y="17" fill="#fff" font-family="sans-serif" font-size="14" font-weight="700" text-anchor="middle">${mark}</text></svg>`
  return `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(svg)}">`
}

function isPageRequest(request: FastifyRequest): boolean {
  return request.method === 'GET' && !NOT_PAGES.test(request.url) && isNavigation(request)
}

/** True if a browser navigates to an address, false for a call of the page's scripts. */
export function isNavigation({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-mode'] === 'navigate' || (headers.accept ?? '').startsWith('text/html')
}

/** Returns a function for the groups of scripts to preload at a path, by the kind of its screen. */
function preloadsOf({ screens }: Contract): (path: string) => string[] {
  const pages = Object.values(screens)
    .filter((screen) => !('signedOut' in screen))
    .map(({ route, kind }) => {
      const steps = kind === 'wizard' ? '(/[^/]+)?' : ''
      return { path: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}${steps}$`), kind }
    })
  return (path) => {
    const page = pages.find((one) => one.path.test(path))
    if (!page) return path === '/dashboard' ? ['inside'] : []
    return ['inside', GROUP_OF_KIND[page.kind] ?? '']
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
