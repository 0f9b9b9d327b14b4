import { type AxiosError, isCancel } from 'axios'
import { callOf, isAddressOf, verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Endpoint, Property } from '../../contract/generated.ts'
import { isPlainObject } from '../../contract/when.ts'
import { heldOf, heldText } from '../../engine/core/held.ts'
import { CONNECTION, type Notice } from '../../engine/core/notices.ts'
import { conflictOf } from '../../engine/form/store/conflict.ts'
import { MESSAGES } from './messages.ts'

const MAX_LENGTH = 300

const warning = (text: string): Notice => ({ kind: 'warning', title: MESSAGES.warning, text })
const failure = (text: string, title: string = MESSAGES.warning): Notice => ({ kind: 'error', title, text })

/**
 * The specified notice of a status, except for addresses that contain `unless`, and for the error codes in
 * `unlessCodes`, whose own message is shown instead.
 */
const BY_STATUS: Record<number, { unless?: string; unlessCodes?: string[]; says: Notice }> = {
  403: { unless: 'login', unlessCodes: ['step_up'], says: warning(MESSAGES.denied) },
  413: { unlessCodes: ['tooMany', 'tooManyLines', 'bodyTooLarge'], says: warning(MESSAGES.tooLarge) },
  500: { says: warning(MESSAGES.serverError) },
}

/** The notices of a failed call. The caller handles the 401 of an ended session. */
export async function noticesOf(error: AxiosError, contract: Contract): Promise<Notice[]> {
  if (isCancel(error) || isAborted(error)) return []
  // The notice of a failed read goes once the connection is back. That of a failed change stays until the change
  // succeeds.
  const isRead = error.config?.method?.toLowerCase() === 'get'
  if (!error.response) return [{ ...failure(MESSAGES.offline), ...(isRead && { cause: CONNECTION }) }]
  const { status } = error.response
  const path = pathOf(error)
  const entry = BY_STATUS[status]
  const body = await bodyOf(error)
  const code = isPlainObject(body) ? String(body.code) : ''
  const isException = entry?.unlessCodes?.includes(code) || (entry?.unless && path.includes(entry.unless))
  if (entry && !isException) return [entry.says]
  // No screen handles rate limits.
  if (status !== 429 && isShownByScreen(contract, path)) return []
  // The form that was saved shows a conflict in more detail.
  if (conflictOf(error)) return []
  const held = heldOf(error)
  if (held) return held.may_pass && error.config?.passesHolds ? [] : [warning(heldText(held))]
  const titled = (key: string) => titleOfKey(contract, endpointOf(contract, error, path), key)
  return noticesOfBody(body, status, titled)
}

function endpointOf({ endpoints }: Contract, { config }: AxiosError, path: string): Endpoint | undefined {
  return Object.values(endpoints).find((one) => {
    const call = callOf(one)
    return call.method === config?.method?.toUpperCase() && isAddressOf(call.path, path)
  })
}

/** The title of the field that a key of a body names ('client.first_name'), else the key. */
function titleOfKey({ bodies, entities }: Contract, endpoint: Endpoint | undefined, key: string): string {
  const entity = endpoint && (endpoint.writes ?? verbOf(endpoint)?.entity ?? endpoint.reply)
  let properties: Record<string, Property> | undefined = bodies[endpoint?.body ?? '']?.properties
  properties ??= entities[entity ?? '']?.properties
  let title: string | undefined
  for (const part of key.split('.')) {
    const property: Property | undefined = properties?.[part]
    title = property?.title ?? title
    // A part of the path may also be the name of an entity, if the body has several records, or the number of a row.
    properties = property?.columns ?? entities[part]?.properties ?? (property ? undefined : properties)
  }
  return title ?? key
}

/** True if the screen that makes the call at an address shows its errors itself. */
function isShownByScreen({ endpoints }: Contract, path: string): boolean {
  const calls = Object.values(endpoints).filter(({ errors }) => errors === 'screen')
  return calls.some((one) => isAddressOf(callOf(one).path, path))
}

// The browser aborts requests when the page is left.
const isAborted = (error: AxiosError) => error.code === 'ECONNABORTED' && error.message === 'Request aborted'

const pathOf = (error: AxiosError) => new URL(error.config?.url ?? '', location.origin).pathname

/** The body as data, also of a Blob; undefined if it is neither JSON nor plain text. */
export async function bodyOf(error: AxiosError): Promise<unknown> {
  const { data, headers } = error.response!
  const text = data instanceof Blob ? await data.text() : data
  if (typeof text !== 'string') return text
  const type = String(headers['content-type'] ?? '')
  if (type.includes('json')) return parsed(text)
  return type.startsWith('text/plain') ? text : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function noticesOfBody(body: unknown, status: number, titled: (key: string) => string): Notice[] {
  const unreadable = [failure(MESSAGES.unreadable(status))]
  if (body === null || typeof body !== 'object') {
    const text = typeof body === 'string' ? body.trim() : ''
    return text && text.length <= MAX_LENGTH ? [failure(text)] : unreadable
  }
  if ('message' in body && typeof body.message === 'string') return [failure(body.message)]
  const lists = [...listsOf(body)]
  if (lists.length > 0)
    return lists.map(({ key, text }) => {
      const title = key && titled(key)
      return failure(title && title !== key ? withoutLabel(text, title) : text, title)
    })
  const text = JSON.stringify(body)
  return text.length > 2 && text.length <= MAX_LENGTH ? [failure(text)] : unreadable
}

/** A message without the label of its field, which is its title already. */
function withoutLabel(text: string, label: string): string {
  const [long, short] = [text.toLowerCase(), label.toLowerCase()]
  if ([`enter ${short}`, `choose ${short}`, `answer “${short}”`].includes(long)) return MESSAGES.unanswered
  if (!long.startsWith(`${short} `)) return text
  const rest = text.slice(label.length + 1)
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

/** The messages in lists; the key is the path of keys, joined by dots ('a.b'), or undefined for a bare list. */
function* listsOf(body: object, at = ''): Generator<{ key?: string; text: string }> {
  if (Array.isArray(body)) {
    for (const item of body) if (typeof item === 'string') yield { key: at || undefined, text: item }
    return
  }
  for (const [key, value] of Object.entries(body))
    if (value !== null && typeof value === 'object') yield* listsOf(value, at ? `${at}.${key}` : key)
}
