import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Span as ApiSpan, Attributes, Context, SpanKind } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { FastifyBaseLogger } from 'fastify'
import type { Settings } from '../settings.ts'
import { productVersion } from '../start/productVersion.ts'

/** What a span says besides its time. Never a value that came from a person: no text of an error, no address as called. */
interface SpanOptions {
  kind?: keyof typeof SpanKind
  attributes?: Attributes
}
interface Outcome {
  attributes?: Attributes
  /** What failed, of which its code or its kind is said. */
  error?: unknown
}
/** A part of a call or job with its time, as OpenTelemetry's collector gets it. */
export interface Span {
  traceId: string
  /** A part of this span; undefined where it has ended, or nobody records it. */
  child(name: string, options?: SpanOptions): Span | undefined
  /** What goes on after this span has ended, such as mails after a reply. */
  later(name: string): Span
  /** Does nothing the second time. */
  end(outcome?: Outcome): void
}
export interface Tracing {
  /** Begins a trace, or goes on with the one that a `traceparent` header names. */
  begin(name: string, options: SpanOptions & { traceparent?: string }): Span
  /** Sends what was not sent yet; gives up after two seconds. */
  stop(): Promise<void>
}

/** Milliseconds that the last spans may take to be sent. */
const STOP_MS = 2000
const PATH = '/v1/traces'

/**
 * Sends spans to the collector of OTLP_URL; without one it loads nothing and answers undefined. What else can be set,
 * such as headers, a ratio of traces and the size of the queue, the packages read from OpenTelemetry's own variables.
 */
export async function startTracing(
  { OTLP_URL }: Pick<Settings, 'OTLP_URL'>,
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>,
): Promise<Tracing | undefined> {
  if (!OTLP_URL) return undefined
  const [api, core, resources, sdk, otlp] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const warn = (words: string) => log.warn(words)
  const quiet = () => undefined
  // What is wrong with one of OpenTelemetry's variables is found while these are made, and logged by nobody else.
  api.diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const exporter = loggingOutages(new otlp.OTLPTraceExporter({ url: tracesUrl(OTLP_URL) }), log)
  const named = resources.resourceFromAttributes({
    'service.name': 'advocacy-casework',
    'service.version': productVersion(),
    'service.instance.id': `${hostname()} ${process.pid}`,
  })
  const provider = new sdk.BasicTracerProvider({
    resource: named.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    // A full queue drops spans, so an absent collector costs 2,048 of them and the 512 that are being sent.
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  })
  api.diag.disable()
  const tracer = provider.getTracer('advocacy-casework')

  const begin = (name: string, { kind = 'INTERNAL', attributes }: SpanOptions, within: Context): Span => {
    const span = tracer.startSpan(name, { kind: api.SpanKind[kind], attributes }, within)
    const inside = api.trace.setSpan(api.ROOT_CONTEXT, span)
    return {
      traceId: span.spanContext().traceId,
      child: (childName, options = {}) =>
        span.isRecording() ? begin(childName, options, inside) : undefined,
      later: (laterName) => begin(laterName, {}, inside),
      end: (outcome = {}) => {
        if (span.isRecording()) endWith(span, outcome, api.SpanStatusCode.ERROR)
      },
    }
  }
  return {
    begin: (name, { traceparent, ...options }) => {
      const parent = traceparent === undefined ? null : core.parseTraceParent(traceparent)
      const within = parent
        ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...parent, isRemote: true })
        : api.ROOT_CONTEXT
      return begin(name, options, within)
    },
    stop: async () => {
      const sent = provider.shutdown().catch(() => undefined)
      await Promise.race([sent, sleep(STOP_MS, undefined, { ref: false })])
    },
  }
}

function endWith(span: ApiSpan, { attributes, error }: Outcome, failed: number): void {
  if (attributes) span.setAttributes(attributes)
  if (error !== undefined) {
    const { code, name } = error as { code?: string | number; name?: string }
    span.setAttribute('error.type', String(code ?? name ?? 'error')).setStatus({ code: failed })
  }
  span.end()
}

/** Where a collector takes traces: its address may be given with or without OTLP's own path. */
function tracesUrl(address: string): string {
  const url = new URL(address)
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith(PATH) ? path : path + PATH
  return url.href
}

/** The same exporter, which logs once that the collector takes no spans, and once that it takes them again. */
function loggingOutages(exporter: SpanExporter, log: Pick<FastifyBaseLogger, 'warn' | 'info'>): SpanExporter {
  let isAway = false
  return {
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined
        if (failed && !isAway)
          log.warn(
            { code: (result.error as { code?: string | number }).code },
            'the collector of OTLP_URL takes no traces; they are dropped until it does',
          )
        if (!failed && isAway) log.info('the collector of OTLP_URL takes traces again')
        isAway = failed
        done(result)
      }),
  }
}
