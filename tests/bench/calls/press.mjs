import autocannon from 'autocannon'

/**
 * Sends requests as fast as they are answered: how many a second, and the latency's 50th and 99th hundredth in ms, NaN
 * where none was answered. Each connection begins at another one, so that not all ask for the same at the same moment.
 */
export async function press(address, headers, requests, { connections, seconds }) {
  const sent = requests.map(({ method, path, body }) => ({
    method,
    path,
    body: body && JSON.stringify(body),
  }))
  let opened = 0
  const result = await autocannon({
    url: address,
    connections,
    duration: seconds,
    sampleInt: 100,
    headers,
    requests: sent,
    setupClient: (client) => {
      const first = Math.floor((opened++ * sent.length) / connections)
      client.setRequests([...sent.slice(first), ...sent.slice(0, first)])
    },
  })
  const { errors, timeouts, non2xx, latency } = result
  if (errors + timeouts + non2xx > 0)
    throw new Error(`${requests[0].path}: ${errors} errors, ${timeouts} timeouts, ${non2xx} refusals`)
  const answered = result['2xx']
  const [p50, p99] = answered > 0 ? [latency.p50, latency.p99] : [Number.NaN, Number.NaN]
  return { perSecond: answered / result.duration, p50, p99 }
}
