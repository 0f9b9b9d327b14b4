import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Tracing } from './tracing.ts'
import { isTrustedPeer } from './trustProxy.ts'

/**
 * Records a span for every call of a descriptor: its route without ids or query, its status and request id. A
 * `traceparent` is accepted only from a trusted proxy: others could fill a trace, or choose which calls are recorded.
 */
export function traceCalls(app: FastifyInstance, tracing: Tracing, trustProxy: string): void {
  const isTrusted = isTrustedPeer(trustProxy)
  app.addHook('onRequest', async (request, reply) => {
    const { method, id, headers, socket, routeOptions } = request
    const { config, url = '' } = routeOptions
    if (!config.call) return
    const sent = headers.traceparent
    const route = url.replaceAll(/:(\w+)/g, '{$1}')
    request.span = tracing.begin(`${method} ${route}`, {
      kind: 'SERVER',
      traceparent: typeof sent === 'string' && isTrusted(socket.remoteAddress) ? sent : undefined,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'casework.call': config.call,
        'casework.request_id': id,
      },
    })
    reply.raw.once('close', () => endSpan(request, reply, reply.raw.writableFinished))
  })
  app.addHook('onSend', async (request, reply) => {
    // The span of a stream ends with its start, because it lasts as long as its page is open.
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) endSpan(request, reply, true)
  })
}

function endSpan({ span, refused }: FastifyRequest, { statusCode }: FastifyReply, isSent: boolean): void {
  const status = { 'http.response.status_code': statusCode, ...(refused && { 'casework.refused': refused }) }
  span?.end({
    attributes: isSent ? status : { 'casework.aborted': true },
    ...(isSent && statusCode >= 500 && { error: { code: statusCode } }),
  })
}
