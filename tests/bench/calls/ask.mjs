/** Headers of somebody signed in, with the anti-forgery value that changes need. */
export async function headersFor(address, token) {
  const reply = await fetch(`${address}/api_admin/csrf_token/`, { headers: { accept: 'application/json' } })
  const { csrftoken } = await reply.json()
  return {
    accept: 'application/json',
    authorization: `Token ${token}`,
    cookie: reply.headers.getSetCookie()[0].split(';')[0],
    'x-csrftoken': csrftoken,
    'content-type': 'application/json',
  }
}

/**
 * The JSON reply to one request; anything but a success is an error.
 * @param {string} address
 * @param {Record<string, string>} headers
 * @param {{method: string, path: string, body?: unknown}} request
 */
export async function ask(address, headers, { method, path, body }) {
  const reply = await fetch(address + path, {
    method,
    headers,
    body: body === undefined ? body : JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path} answers ${reply.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}
