import { setMaxListeners } from 'node:events'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import csrf from '@fastify/csrf-protection'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Contract } from '../../contract/contract.ts'
import { MAX_FILE_BYTES } from '../../contract/limits.ts'
import type { Caller } from '../core/call.ts'
import type { Database, Db } from '../core/db.ts'
import { isDevelopment, loggedError, loggerOptions } from '../core/log.ts'
import { asProblem } from '../core/problems.ts'
import { requestIds } from '../core/requestId.ts'
import { refuseUnreadable, securityHeaders } from '../core/securityHeaders.ts'
import type { Settings } from '../core/settings.ts'
import { traceCalls } from '../core/traceCalls.ts'
import { type Span, startTracing, type Tracing } from '../core/tracing.ts'
import { trustedProxies } from '../core/trustProxy.ts'
import { watchVersions } from '../core/versionEvents.ts'
import type { BulkContext } from '../features/bulk/jobCall.ts'
import { registerBackChannelLogout } from './backChannelLogout.ts'
import { closeIdleConnections } from './closeIdleConnections.ts'
import { registerDev } from './dev.ts'
import { registerHealth } from './health.ts'
import { registerJsonBody } from './jsonBody.ts'
import { registerMetrics } from './metrics.ts'
import { openapi } from './openapi.ts'
import { PATIENCE_MS } from './patience.ts'
import { registerRoutes } from './routes.ts'
import { endSlowBodies, REQUEST_TIMEOUT } from './slowBodies.ts'
import { isNavigation, registerWeb } from './web.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** For background work and callbacks after a reply, when the transaction of the call has ended. */
    db: Db
    /** For reads outside the transaction of a call, on the slow connections. */
    readPipelined: Database['readPipelined']
    connections: Database['connections']
    /** Waits until proxies have seen a failing health check and send no more calls; returns at once if none checks. */
    drain(): Promise<void>
    /** True while the server drains: it still accepts calls, but its health checks fail. */
    isStopping: boolean
    /** Aborted when the server closes, to end streams and long-running work. */
    ending: AbortSignal
    /** Unfinished jobs, upload work and callbacks after a reply, awaited before the database is closed. */
    pendingWork: Set<Promise<void>>
    /** Undefined without OTLP_URL. */
    tracing: Tracing | undefined
    /** Undefined if uploads are processed in this thread. */
    uploadThread: BulkContext['uploadThread']
    /** Replaces the contract that is served, and returns its address. */
    swapContract(contract: Contract): string
    /** Hash of the page's HTML, which names its scripts, and of the contract at start, as a number. */
    pageRelease(): number
    /** Sends a browser an HTML 503 page. */
    sendUnavailable(request: FastifyRequest, reply: FastifyReply, message: unknown): FastifyReply
  }
  interface FastifyContextConfig {
    /** Name of the route's descriptor. */
    call?: string
  }
  interface FastifyRequest {
    /** Staff id of the caller, for the log; 0 without sign-in. */
    staff: number
    /** The caller, authenticated before the body is parsed. */
    caller: Caller
    /** Code of the error reply for the log, 'fields' for field errors; empty without an error. */
    refused: string
    /** Span of the call; undefined without tracing. */
    span?: Span
  }
}

interface AppDeps extends Omit<Database, 'close'> {
  /** For the dedicated LISTEN connection. */
  databaseUrl: string
  contract: Contract
  settings: Settings
  /** Standby that reports and exports are read from; undefined: the primary. */
  standby?: Database
  uploadThread?: BulkContext['uploadThread']
  /** Folder of the browser's files. */
  web: string
}

const COMPRESSION = {
  /** Bytes of the shortest reply that is compressed. */
  threshold: 2048,
  /** Bytes of the longest reply that is compressed synchronously, which takes some 10 ms. */
  syncThreshold: 1024 * 1024,
}

/** Statuses that may be an attack: logged as warnings with the IP address of the caller. */
const SECURITY_STATUSES = new Set([401, 403, 423, 429])

const API_HEADERS = {
  'cache-control': 'no-store',
  vary: 'Accept, Sec-Fetch-Mode',
}

/** The whole server as one Fastify instance, not yet listening. */
export async function createApp({
  databaseUrl,
  contract,
  settings,
  web,
  uploadThread,
  ...pools
}: AppDeps): Promise<FastifyInstance> {
  const isHttps = settings.PUBLIC_URL.startsWith('https://')
  const security = securityHeaders(isHttps)
  const app = newFastify(settings, security)
  const tracing = await startTracing(settings, app.log)
  decorate(app, { ...pools, uploadThread, tracing })
  if (tracing) traceCalls(app, tracing, settings.TRUST_PROXY)
  endSlowBodies(app)
  const versionEvents = watchVersions(pools.db, databaseUrl)
  endWorkOnClose(app, versionEvents)
  sendHeaders(app, security)
  logResponses(app)
  replyToErrors(app)
  await registerPlugins(app, isHttps)
  closeIdleConnections(app)
  registerJsonBody(app)
  registerHealth(app, pools.reserved)
  const { reserved, connections, standby } = pools
  await registerMetrics(app, { settings, versionEvents, db: reserved, connections, standby })
  app.get('/openapi.json', async () => openapi(contract, settings.PRODUCT_NAME))
  await registerBackChannelLogout(app, { settings, db: pools.reserved })
  registerDev(app)
  await registerWeb(app, web, { contract, settings, db: pools.db })
  registerRoutes(app, { ...pools, contract, settings, versionEvents })
  return app
}

function newFastify(settings: Settings, security: Record<string, string>): FastifyInstance {
  return Fastify({
    logger: loggerOptions(settings.LOG_LEVEL),
    // Without this all callers behind a proxy share its IP address, and wrong passwords of one lock out all.
    trustProxy: trustedProxies(settings.TRUST_PROXY),
    genReqId: requestIds(settings.TRUST_PROXY),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    requestTimeout: REQUEST_TIMEOUT,
    // METRICS_PORT is opened by a hook, and may still be in use by the process before.
    pluginTimeout: 3 * PATIENCE_MS,
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5000 },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    clientErrorHandler: refuseUnreadable(security),
    // For a URL that cannot be decoded or has too long a segment; no hook runs for it.
    frameworkErrors: (error, _, reply: FastifyReply) => {
      const { statusCode, body } = asProblem(error)
      reply
        .code(statusCode)
        .headers({ ...security, ...API_HEADERS })
        .send(body)
    },
  })
}

/** Adds what the declarations above say that the instance and its requests have. */
function decorate(
  app: FastifyInstance,
  {
    slow,
    readPipelined,
    connections,
    uploadThread,
    tracing,
  }: Pick<AppDeps, 'slow' | 'readPipelined' | 'connections' | 'uploadThread'> & { tracing?: Tracing },
) {
  app.decorateRequest('staff', 0)
  app.decorateRequest('caller')
  app.decorateRequest('refused', '')
  app.decorateRequest('span')
  app.decorate('db', slow)
  app.decorate('readPipelined', readPipelined)
  app.decorate('connections', connections)
  app.decorate('pendingWork', new Set<Promise<void>>())
  app.decorate('uploadThread', uploadThread)
  app.decorate('tracing', tracing)
}

/** Aborts streams and long-running work when the server closes, and waits for unfinished work. */
function endWorkOnClose(app: FastifyInstance, versionEvents: { stop(): Promise<void> }) {
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  app.decorate('ending', ending.signal)
  app.addHook('preClose', async () => {
    ending.abort()
    await versionEvents.stop()
  })
  app.addHook('onClose', async () => {
    await Promise.all(app.pendingWork)
    await app.tracing?.stop()
  })
}

function sendHeaders(app: FastifyInstance, security: Record<string, string>) {
  app.addHook('onSend', async ({ id }, reply) => {
    reply.header('x-request-id', id)
    // A busy keep-alive connection would hold close() for ever.
    if (app.isStopping || app.ending.aborted) reply.header('connection', 'close')
    const api = reply.hasHeader('cache-control') ? {} : API_HEADERS
    reply.headers({ ...security, ...api, ...reply.getHeaders() })
  })
}

function logResponses(app: FastifyInstance) {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, staff, id, refused, ip, span } = request
    const isSecurity = SECURITY_STATUSES.has(reply.statusCode)
    app.log[isSecurity ? 'warn' : 'info']({
      id,
      method,
      route: routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      staff,
      ...(span && { trace_id: span.traceId }),
      ...(refused && { refused }),
      ...(isSecurity && { ip }),
    })
  })
}

/** Replies to errors and unknown addresses by the catalogue of problems. */
function replyToErrors(app: FastifyInstance) {
  app.setErrorHandler((error, request, reply) => {
    const { statusCode, body, headers = {} } = asProblem(error)
    request.refused = typeof body.code === 'string' ? body.code : 'fields'
    if (statusCode >= 500)
      request.log.error({
        id: request.id,
        route: request.routeOptions.url,
        ...(request.span && { trace_id: request.span.traceId }),
        problem: body.code,
        ...loggedError(error),
      })
    if (statusCode === 503 && isNavigation(request)) return app.sendUnavailable(request, reply, body.message)
    const hint = statusCode >= 500 && isDevelopment() ? { error: (error as Error).message } : {}
    return reply
      .code(statusCode)
      .headers(headers)
      .send({ ...body, ...hint })
  })
  app.setNotFoundHandler((_, reply) =>
    reply.code(404).send({ code: 'notFound', message: 'There is no such call' }),
  )
}

async function registerPlugins(app: FastifyInstance, isHttps: boolean) {
  await app.register(compress, {
    ...COMPRESSION,
    encodings: ['br', 'gzip'],
    // Static files are compressed by the build.
    customTypes: /^application\/json/,
    globalDecompression: false,
  })
  await app.register(cookie)
  await app.register(csrf, {
    // No other host, not even a subdomain, can set a cookie with the __Host- prefix.
    cookieKey: isHttps ? '__Host-csrf' : '_csrf',
    cookieOpts: { path: '/', httpOnly: true, sameSite: 'strict', secure: isHttps },
    getToken: ({ headers }) => headers['x-csrftoken'] as string,
  })
  await app.register(multipart, { limits: { fileSize: MAX_FILE_BYTES, files: 1, fields: 6, parts: 7 } })
}
