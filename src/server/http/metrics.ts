import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as Prometheus from 'prom-client'
import type { Database, Db } from '../core/db.ts'
import { openidProviders } from '../core/openidProviders.ts'
import type { Settings } from '../core/settings.ts'
import { StartProblem } from '../core/startProblem.ts'
import type { VersionEvents } from '../core/versionEvents.ts'
import { backupGauges } from '../features/health/backupGauges.ts'
import { serviceGauges } from '../features/health/serviceGauges.ts'
import { auditPartitionedUntil, daysUntil } from '../records/audit/auditPartitions.ts'
import { storageOutcomes } from '../records/files/storage.ts'
import { whenFree } from './listen.ts'

interface MetricsDeps {
  settings: Settings
  /** For the queries of each scrape. */
  db: Db
  connections: Database['connections']
  standby?: Database
  versionEvents: VersionEvents
}
interface JobRow {
  name: string
  started: number
  seconds: number | null
  failures: number
}

/** Prometheus' text format. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
/** Histogram buckets in seconds: a list should take less than 0.1 s, a report may take a minute. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]
/** Outcomes of sign-ins, by the status of the reply. */
const SIGN_IN_OUTCOMES: Record<number, string> = { 200: 'ok', 401: 'failed', 423: 'locked' }

/** Outcomes of sign-ons. */
const SIGN_ON_OUTCOMES = ['ok', 'refused', 'unknown', 'away'] as const

/**
 * Serves GET /metrics for Prometheus if the settings enable it, on METRICS_PORT or with a token on PORT. Labels name
 * calls, jobs and pools, never a record or a person.
 */
export async function registerMetrics(app: FastifyInstance, deps: MetricsDeps): Promise<void> {
  const { METRICS_PORT, HOST } = deps.settings
  const token = deps.settings.METRICS_TOKEN
  if (!METRICS_PORT && !token) return
  const scrape = await metricsOf(app, deps)
  const isAllowed = (header = '') => !token || isSame(header, `Bearer ${token}`)
  if (!METRICS_PORT) {
    app.get('/metrics', async ({ headers }, reply) =>
      isAllowed(headers.authorization)
        ? reply.type(CONTENT_TYPE).send(await scrape())
        : reply.code(401).send(),
    )
    return
  }
  const answer: RequestListener = ({ method, url, headers }, reply) => {
    if (method !== 'GET' || url !== '/metrics') return reply.writeHead(404).end()
    if (!isAllowed(headers.authorization)) return reply.writeHead(401).end()
    scrape().then(
      (text) => reply.writeHead(200, { 'content-type': CONTENT_TYPE }).end(text),
      () => reply.writeHead(500).end(),
    )
  }
  const server = createServer(answer)
  app.addHook('onReady', async () => {
    const open = async () => {
      server.listen(METRICS_PORT, HOST)
      await once(server, 'listening')
    }
    await whenFree('METRICS_PORT', METRICS_PORT, open).catch((error: NodeJS.ErrnoException) => {
      if (error instanceof StartProblem) throw error
      throw new StartProblem(`METRICS_PORT ${METRICS_PORT} cannot be listened on (${error.code}).`)
    })
  })
  app.addHook('preClose', async () => {
    server.close()
    server.closeAllConnections()
  })
}

/** Compares two texts in constant time. */
function isSame(sent: string, expected: string): boolean {
  const [a, b] = [sent, expected].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(a, b)
}

async function metricsOf(app: FastifyInstance, deps: MetricsDeps): Promise<() => Promise<string>> {
  const prometheus = await import('prom-client')
  const registry = new prometheus.Registry()
  const registers = [registry]
  // The process: memory, processor, event-loop delay, garbage collection.
  prometheus.collectDefaultMetrics({ register: registry })
  const calls = new prometheus.Histogram({
    name: 'casework_call_seconds',
    help: 'Time that calls took, by descriptor and status',
    labelNames: ['call', 'status'],
    buckets: BUCKETS,
    registers,
  })
  app.addHook('onResponse', async ({ routeOptions }, reply) => {
    // The duration of a stream is only that of its page.
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) return
    const call = routeOptions.config.call ?? 'none'
    calls.observe({ call, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  countRefusals(app, prometheus, registers)
  countSignOns(app, deps.settings, prometheus, registers)
  new prometheus.Gauge({
    name: 'casework_pool_connections',
    help: 'Connections to the database by pool and state, and calls that wait for one',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const { pool, ...states } of deps.connections())
        for (const [state, count] of Object.entries(states)) this.set({ pool, state }, count)
    },
  })
  new prometheus.Gauge({
    name: 'casework_version_event_streams',
    help: 'Open streams of version events',
    registers,
    collect() {
      this.set(deps.versionEvents.streams())
    },
  })
  let until = await auditPartitionedUntil(deps.db)
  new prometheus.Gauge({
    name: 'casework_audit_partition_days_left',
    help: 'Days until the last partition of the audit ends, negative after it',
    registers,
    async collect() {
      // The last known one while the database does not answer, so that an alert still sees the series.
      until = await auditPartitionedUntil(deps.db).catch(() => until)
      this.set(daysUntil(until))
    },
  })
  const ofJobs = (name: string, help: string) =>
    new prometheus.Gauge({ name: `casework_job_${name}`, help, labelNames: ['job'], registers })
  const [started, seconds, failures] = [
    ofJobs('last_start_timestamp_seconds', 'When a job last began, on any server'),
    ofJobs('last_run_seconds', 'Time that its last run took'),
    ofJobs('failed_runs', 'Runs of the last 24 hours that failed'),
  ]
  const readBackups = backupGauges(prometheus, registers)
  const readService = serviceGauges(prometheus, registers, deps)
  return async () => {
    await readService(deps.db)
    await readJobs(deps.db, { started, seconds, failures })
    await readBackups(deps.db)
    return registry.metrics()
  }
}

/**
 * Counts what this server refused: calls with a 503 by their code, sign-ins that failed, and failures of the storage.
 */
function countRefusals(
  app: FastifyInstance,
  { Counter }: typeof Prometheus,
  registers: Prometheus.Registry[],
): void {
  const unavailable = new Counter({
    name: 'casework_unavailable_total',
    help: 'Calls answered with a 503, by the code of the problem',
    labelNames: ['code'],
    registers,
  })
  const signIns = new Counter({
    name: 'casework_sign_ins_total',
    help: 'Attempts to sign in, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  // Present from the start, so that the first one is an increase.
  for (const outcome of Object.values(SIGN_IN_OUTCOMES)) signIns.inc({ outcome }, 0)
  app.addHook('onResponse', async ({ routeOptions, refused }, reply) => {
    if (reply.statusCode === 503) unavailable.inc({ code: refused || 'none' })
    const outcome = SIGN_IN_OUTCOMES[reply.statusCode]
    if (routeOptions.config.call === 'auth.login' && outcome) signIns.inc({ outcome })
  })
  new Counter({
    name: 'casework_storage_errors_total',
    help: 'Requests to the object storage that failed',
    registers,
    collect() {
      this.reset()
      this.inc(storageOutcomes.failures)
    },
  })
}

/** Counts sign-ons by provider and outcome; the start of one counts only if the provider cannot be reached. */
function countSignOns(
  app: FastifyInstance,
  { OPENID_PROVIDERS }: Settings,
  { Counter }: typeof Prometheus,
  registers: Prometheus.Registry[],
): void {
  const ids = openidProviders(OPENID_PROVIDERS).map(({ id }) => id)
  if (ids.length === 0) return
  const signOns = new Counter({
    name: 'casework_sign_ons_total',
    help: 'Sign-ons, by provider of OpenID Connect and outcome',
    labelNames: ['provider', 'outcome'],
    registers,
  })
  // Present from the start, so that the first one is an increase.
  for (const provider of ids) for (const outcome of SIGN_ON_OUTCOMES) signOns.inc({ provider, outcome }, 0)
  app.addHook('onResponse', async ({ routeOptions, body }, { statusCode }) => {
    const { call } = routeOptions.config
    if (call !== 'signOn.finish' && !(call === 'signOn.start' && statusCode === 503)) return
    const provider = ids.find((id) => id === (body as { provider?: unknown } | undefined)?.provider)
    if (provider) signOns.inc({ provider, outcome: signOnOutcome(statusCode) })
  })
}

/**
 * The outcome of a sign-on, by the status of its reply; 'unknown' is somebody whom the provider let in, but who has no
 * open account here.
 */
function signOnOutcome(status: number): (typeof SIGN_ON_OUTCOMES)[number] {
  if (status < 300) return 'ok'
  if (status === 403) return 'unknown'
  return status === 503 ? 'away' : 'refused'
}

/**
 * Sets the gauges of all jobs; if the database does not answer they are empty, so that the other metrics are still
 * served.
 */
async function readJobs(
  db: Db,
  gauges: Record<'started' | 'seconds' | 'failures', Prometheus.Gauge>,
): Promise<void> {
  const { rows } =
    await sql<JobRow>`select name, extract(epoch from started_at)::float as started, seconds, failures
    from job_rows`
      .execute(db)
      .catch(() => ({ rows: [] }))
  for (const gauge of Object.values(gauges)) gauge.reset()
  for (const { name: job, ...row } of rows)
    for (const [figure, gauge] of Object.entries(gauges)) {
      const value = row[figure as keyof typeof gauges]
      if (value !== null) gauge.set({ job }, value)
    }
}
