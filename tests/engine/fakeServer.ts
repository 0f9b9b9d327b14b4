import {
  AxiosError,
  AxiosHeaders,
  type AxiosResponse,
  CanceledError,
  type InternalAxiosRequestConfig,
} from 'axios'
import type { Values } from '../../src/contract/when.ts'
import { checkConnection, reportReply } from '../../src/engine/core/connection.ts'
import { http } from '../../src/engine/core/http.ts'

/** A request as the server receives it. */
export interface FakeRequest {
  method: string
  path: string
  /** Parts of the path by their names in the handler: `id` of 'GET /case/{id}/'. */
  params: Record<string, string>
  query: Record<string, unknown>
  /** The JSON, or the fields of a multipart form; undefined without a body. */
  body: Values
  headers: Record<string, unknown>
  /** The axios config, for the abort signal and the progress of an upload. */
  config: InternalAxiosRequestConfig
}

/** Status 200 unless another is set; status 0 is a lost network. */
export interface Reply {
  status?: number
  data?: unknown
  headers?: Record<string, string | number>
}

/** Replies to calls by 'METHOD /path'; a part of the path in braces matches any value. */
export type Handlers = Record<string, Reply | ((request: FakeRequest) => Reply | Promise<Reply>)>

let handlers: Handlers = {}

/** The only fake of the engine's tests: an axios adapter that replaces the network. */
export const fakeServer = {
  /** Every request since the test began, in order. */
  requests: [] as FakeRequest[],

  /** True if probes for the connection get a reply. */
  repliesToProbes: false,

  /** Ends a lost connection, and waits for nothing: the next probe finds out. */
  comeBack(): void {
    fakeServer.repliesToProbes = true
    checkConnection()
  },

  /** Requests without a handler: they get a 404, and the test fails at its end. */
  unhandled: [] as string[],

  /** Adds handlers; one with the same key replaces the earlier one. */
  use(more: Handlers): void {
    handlers = { ...handlers, ...more }
  },

  /** The requests to a 'METHOD /path', which may have parts in braces. */
  requestsTo(call: string): FakeRequest[] {
    return fakeServer.requests.filter((request) => matchCall(call, request) !== undefined)
  },

  /** Clears handlers and requests; setup.ts calls it before and after every test. */
  reset(): void {
    handlers = {}
    fakeServer.requests = []
    fakeServer.unhandled = []
    fakeServer.repliesToProbes = false
    reportReply()
    http.defaults.adapter = handle
  },
}

/** The reply of a list. */
export function page<T extends object>(rows: T[], pagination: object = {}) {
  const all = { p: 1, page_size: 10, count: rows.length, more: false, num_pages: 1, ...pagination }
  return { data: { data: rows, pagination: all } }
}

async function handle(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
  const request = requestOf(config)
  const reply = handlers[callOf(request)] ?? handlerByPattern(request)
  fakeServer.requests.push(request)
  if (!reply) fakeServer.unhandled.push(callOf(request))
  const {
    status = 200,
    data,
    headers,
  } = await unlessAborted(config, reply ? replyTo(request, reply) : NO_HANDLER)
  if (status === 0) throw new AxiosError('Network Error', AxiosError.ERR_NETWORK, config)
  const response: AxiosResponse = {
    status,
    statusText: '',
    data: serialized(data),
    headers: new AxiosHeaders({ 'content-type': 'application/json', ...headers }),
    config,
  }
  if (config.validateStatus?.(status) ?? true) return response
  const code = status < 500 ? AxiosError.ERR_BAD_REQUEST : AxiosError.ERR_BAD_RESPONSE
  throw new AxiosError(`Request failed with status code ${status}`, code, config, undefined, response)
}

const NO_HANDLER: Reply = { status: 404, data: { message: 'The fake server has no handler for this' } }

function requestOf(config: InternalAxiosRequestConfig): FakeRequest {
  const { pathname, searchParams } = new URL(config.url ?? '', 'http://server')
  const { data } = config
  return {
    method: (config.method ?? 'get').toUpperCase(),
    path: pathname,
    params: {},
    query: { ...Object.fromEntries(searchParams), ...config.params },
    body:
      typeof data === 'string'
        ? JSON.parse(data)
        : data instanceof FormData
          ? Object.fromEntries(data)
          : data,
    headers: { ...config.headers },
    config,
  }
}

const callOf = ({ method, path }: FakeRequest) => `${method} ${path}`

function handlerByPattern(request: FakeRequest): Handlers[string] | undefined {
  for (const [call, handler] of Object.entries(handlers)) {
    const params = matchCall(call, request)
    if (!params) continue
    request.params = params
    return handler
  }
}

/** The values of the parts in braces; undefined if the request does not match the call. */
function matchCall(call: string, request: FakeRequest): Record<string, string> | undefined {
  const [pattern, actual] = [call, callOf(request)].map((one) => one.split('/'))
  if (pattern.length !== actual.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of pattern.entries()) {
    const name = part.match(/^\{(\w+)\}$/)?.[1]
    if (name) params[name] = actual[i]
    else if (part !== actual[i]) return undefined
  }
  return params
}

async function replyTo(request: FakeRequest, handler: Handlers[string]): Promise<Reply> {
  return typeof handler === 'function' ? handler(request) : handler
}

function unlessAborted(
  { signal }: InternalAxiosRequestConfig,
  reply: Reply | Promise<Reply>,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener?.('abort', () => reject(new CanceledError()))
    Promise.resolve(reply).then(resolve, reject)
  })
}

/** A copy through JSON, so that tests and screens share no objects; files and texts are returned as they are. */
function serialized(data: unknown): unknown {
  return data === undefined || data instanceof Blob || typeof data === 'string'
    ? data
    : JSON.parse(JSON.stringify(data))
}
