import { createServer } from 'node:http'

type Values = Record<string, string | number | boolean>
export interface SentSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  /** Span kind of OTLP: 2 is server, 3 is client. */
  kind: number
  isError: boolean
  attributes: Values
}
export interface Collector {
  url: string
  /** All received bodies as text. */
  bytes(): string
  spans(): SentSpan[]
  /** Path and Authorization header of each request. */
  requests: { path?: string; authorization?: string }[]
  end(): Promise<void>
}

type Attributes = { key: string; value: Record<string, unknown> }[]
interface Body {
  resourceSpans: {
    resource: { attributes: Attributes }
    scopeSpans: {
      spans: (Omit<SentSpan, 'attributes'> & { attributes: Attributes; status: { code?: number } })[]
    }[]
  }[]
}

/** An OTLP collector (JSON over HTTP) on the loopback, which replies with the status of `answer`. */
export async function startCollector(answer: () => number = () => 200): Promise<Collector> {
  const received: string[] = []
  const requests: Collector['requests'] = []
  const server = createServer(async (request, reply) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    requests.push({ path: request.url, authorization: request.headers.authorization })
    if (answer() === 200) received.push(text)
    reply.writeHead(answer(), { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    bytes: () => received.join('\n'),
    spans: () => received.flatMap((text) => spansOf(JSON.parse(text))),
    requests,
    end: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function spansOf({ resourceSpans }: Body): SentSpan[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ attributes, status, ...span }) => ({
      ...span,
      isError: status.code === 2,
      attributes: valuesOf(attributes),
    }))
}

function valuesOf(attributes: Attributes): Values {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] as string]))
}
