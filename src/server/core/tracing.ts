import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Span as ApiSpan, Attributes, Context, SpanKind } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { FastifyBaseLogger } from 'fastify'
import { productVersion } from './productVersion.ts'
import type { Settings } from './settings.ts'

/** Attributes of a span. They must not contain user input, so no error messages and no requested URLs. */
interface SpanOptions {
  kind?: keyof typeof SpanKind
  attributes?: Attributes
}
interface Outcome {
  attributes?: Attributes
  /** The error, of which only the code or the name is recorded. */
  error?: unknown
}
/** An OpenTelemetry span: a timed part of a call or job. */
export interface Span {
  traceId: string
  /** Starts a child span; undefined if this span has ended or is not recorded. */
  child(name: string, options?: SpanOptions): Span | undefined
  /** Starts a span for work after this span has ended, such as mails after a reply. */
  later(name: string): Span
  /** Ends the span; a second call does nothing. */
  end(outcome?: Outcome): void
}
export interface Tracing {
  /** Starts a trace, or continues the one of a `traceparent` header. */
  begin(name: string, options: SpanOptions & { traceparent?: string }): Span
  /** Exports the remaining spans; gives up after STOP_MS. */
  stop(): Promise<void>
}

/** Maximum milliseconds to export the last spans. */
const STOP_MS = 2000
const PATH = '/v1/traces'

/**
 * Exports spans to the collector of OTLP_URL; without it loads nothing and returns undefined. The packages read further
 * settings, such as headers, sampling and the size of the queue, from OpenTelemetry's own environment variables.
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
  // Logs invalid environment variables of OpenTelemetry, which are read while these objects are created.
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
    // A full queue drops spans, so without a collector at most 2,048 queued and 512 exporting ones are in memory.
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

/** The URL for traces of a collector, whose address may be with or without OTLP's path. */
function tracesUrl(address: string): string {
  const url = new URL(address)
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith(PATH) ? path : path + PATH
  return url.href
}

/** Wraps an exporter: logs once when the collector rejects spans, and once when it accepts them again. */
function loggingOutages(exporter: SpanExporter, log: Pick<FastifyBaseLogger, 'warn' | 'info'>): SpanExporter {
  let isUnavailable = false
  return {
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined
        if (failed && !isUnavailable)
          log.warn(
            { code: (result.error as { code?: string | number }).code },
            'the collector of OTLP_URL takes no traces; they are dropped until it does',
          )
        if (!failed && isUnavailable) log.info('the collector of OTLP_URL takes traces again')
        isUnavailable = failed
        done(result)
      }),
  }
}
