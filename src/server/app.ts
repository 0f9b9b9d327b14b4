import { setMaxListeners } from 'node:events'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import csrf from '@fastify/csrf-protection'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Contract } from '../contract/contract.ts'
import type { BulkContext } from './bulk/jobCall.ts'
import type { Database, Db } from './db.ts'
import { registerHealth } from './health.ts'
import { registerJsonBody } from './jsonBody.ts'
import { isDevelopment, loggedError, loggerOptions } from './log.ts'
import { registerMetrics } from './metrics.ts'
import { openapi } from './openapi.ts'
import { asProblem } from './problems.ts'
import { requestIds } from './requestId.ts'
import { registerRoutes } from './routes.ts'
import { refuseUnreadable, securityHeaders } from './securityHeaders.ts'
import type { Settings } from './settings.ts'
import type { Caller } from './signIn/session.ts'
import { endSlowBodies, REQUEST_TIMEOUT } from './slowBodies.ts'
import { closeIdleConnections } from './start/closeIdleConnections.ts'
import { registerDev } from './start/dev.ts'
import { trustedProxies } from './start/trustProxy.ts'
import { traceCalls } from './tracing/traceCalls.ts'
import { type Span, startTracing, type Tracing } from './tracing/tracing.ts'
import { watchVersions } from './versionEvents.ts'
import { isNavigation, registerWeb } from './web.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** For background work and what goes on after a reply, whose transaction is over by then. */
    db: Db
    /** For what is read beside a call, on those connections. */
    readTogether: Database['readTogether']
    connections: Database['connections']
    /** Waits until proxies that check the server's health send it no more calls; at once where none does. */
    drain(): Promise<void>
    /** Whether the server is about to stop; it still takes calls. */
    isStopping: boolean
    /** Aborted when the server closes: streams and long works end then. */
    ending: AbortSignal
    /** What goes on after its reply has left, and must be done before the database is closed. */
    working: Set<Promise<void>>
    /** Undefined where OTLP_URL names no collector. */
    tracing: Tracing | undefined
    /** Undefined where uploads are worked on in this thread. */
    uploadThread: BulkContext['uploadThread']
    swapContract(contract: Contract): string
    /** A number that tells which scripts and contract the page has now. */
    pageRelease(): number
    /** Answers a person's browser by a page of its own: what it would load could not be had. */
    sendUnavailable(request: FastifyRequest, reply: FastifyReply, message: unknown): FastifyReply
  }
  interface FastifyContextConfig {
    /** Name of the descriptor that a route is made of. */
    call?: string
  }
  interface FastifyRequest {
    /** Who called, for the log: an id, no name. */
    staff: number
    /** Who calls; known before the body is read. */
    caller: Caller
    /** By what name of the catalogue the call was refused, for the log; empty where it was not. */
    refused: string
    /** Of the call, where there is tracing. */
    span?: Span
  }
}

interface AppDeps extends Omit<Database, 'close'> {
  /** For a connection of its own, to listen on. */
  databaseUrl: string
  contract: Contract
  settings: Settings
  /** Where reports and exports are read, if not in the same database. */
  standby?: Database
  uploadThread?: BulkContext['uploadThread']
  /** Folder of the browser's files. */
  web: string
}

/** Bytes of an uploaded file. */
const LARGEST_FILE = 10 * 1024 * 1024

/** Bytes of the shortest reply that is compressed, and of the longest that is so at once: it takes some 10 ms. */
const COMPRESSED = { threshold: 2048, syncThreshold: 1024 * 1024 }

/** Refusals that may be an attack: warnings in the log, with the address that they came from. */
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
  const app = Fastify({
    logger: loggerOptions(settings.LOG_LEVEL),
    // Else everybody behind a proxy has its address, and what one guesses locks all of them out.
    trustProxy: trustedProxies(settings.TRUST_PROXY),
    genReqId: requestIds(settings.TRUST_PROXY),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    requestTimeout: REQUEST_TIMEOUT,
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5000 },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    clientErrorHandler: refuseUnreadable(security),
    // An address that cannot be decoded, or with too long a part: no hook sees it.
    frameworkErrors: (error, _, reply: FastifyReply) => {
      const { statusCode, body } = asProblem(error)
      reply
        .code(statusCode)
        .headers({ ...security, ...API_HEADERS })
        .send(body)
    },
  })
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  app.decorateRequest('staff', 0)
  app.decorateRequest('caller')
  app.decorateRequest('refused', '')
  app.decorateRequest('span')
  app.decorate('db', pools.slow)
  app.decorate('readTogether', pools.readTogether)
  app.decorate('connections', pools.connections)
  app.decorate('ending', ending.signal)
  app.decorate('working', new Set<Promise<void>>())
  app.decorate('uploadThread', uploadThread)
  const tracing = await startTracing(settings, app.log)
  app.decorate('tracing', tracing)
  if (tracing) traceCalls(app, tracing, settings.TRUST_PROXY)
  endSlowBodies(app)
  const versionEvents = watchVersions(pools.db, databaseUrl)
  app.addHook('preClose', async () => {
    ending.abort()
    await versionEvents.stop()
  })
  app.addHook('onClose', async () => {
    await Promise.all(app.working)
    await tracing?.stop()
  })
  app.addHook('onSend', async ({ id }, reply) => {
    reply.header('x-request-id', id)
    // A busy keep-alive connection would hold close() for ever.
    if (app.isStopping || ending.signal.aborted) reply.header('connection', 'close')
    const api = reply.hasHeader('cache-control') ? {} : API_HEADERS
    reply.headers({ ...security, ...api, ...reply.getHeaders() })
  })
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

  await app.register(compress, {
    ...COMPRESSED,
    encodings: ['br', 'gzip'],
    // Files of the page are compressed when they are built.
    customTypes: /^application\/json/,
    globalDecompression: false,
  })
  await app.register(cookie)
  await app.register(csrf, {
    // Browsers let no other host, not even one below this, set a cookie of that name.
    cookieKey: isHttps ? '__Host-csrf' : '_csrf',
    cookieOpts: { path: '/', httpOnly: true, sameSite: 'strict', secure: isHttps },
    getToken: ({ headers }) => headers['x-csrftoken'] as string,
  })
  await app.register(multipart, { limits: { fileSize: LARGEST_FILE, files: 1, fields: 6, parts: 7 } })
  closeIdleConnections(app)
  registerJsonBody(app)
  registerHealth(app, pools.reserved)
  await registerMetrics(app, { settings, versionEvents, db: pools.reserved, connections: pools.connections })
  app.get('/openapi.json', async () => openapi(contract, settings.PRODUCT_NAME))
  registerDev(app)
  await registerWeb(app, web, { contract, settings, db: pools.db })
  registerRoutes(app, { ...pools, contract, settings, versionEvents })
  return app
}
