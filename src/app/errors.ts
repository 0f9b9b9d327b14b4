import { type AxiosError, isCancel } from 'axios'
import { callOf, isAddressOf } from '../contract/call.ts'
import type { Contract } from '../contract/contract.ts'
import { conflictOf } from '../engine/form/conflict.ts'
import { CONNECTION, type Notice } from '../engine/runtime/notices.ts'
import { MESSAGES } from './messages.ts'

const LONGEST = 300

const warning = (text: string): Notice => ({ kind: 'warning', title: MESSAGES.warning, text })
const failure = (text: string, title: string = MESSAGES.warning): Notice => ({ kind: 'error', title, text })

/** The specified behaviour of a status; `unless` names what its address must not contain. */
const BY_STATUS: Record<number, { unless?: string; says?: Notice }> = {
  403: { unless: 'login', says: warning(MESSAGES.denied) },
  413: { says: warning(MESSAGES.tooLarge) },
  500: { says: warning(MESSAGES.serverError) },
}

/** What a failed call tells the person; a 401 of a session that has ended is the caller's to leave out. */
export async function noticesOf(error: AxiosError, contract: Contract): Promise<Notice[]> {
  if (isCancel(error) || isAborted(error)) return []
  if (!error.response) return [{ ...failure(MESSAGES.offline), cause: CONNECTION }]
  const { status } = error.response
  const path = pathOf(error)
  const entry = BY_STATUS[status]
  if (entry?.says && !(entry.unless && path.includes(entry.unless))) return [entry.says]
  // No screen knows of the limits of a person's calls.
  if (status !== 429 && isShownByScreen(contract, path)) return []
  // Whoever saved shows what both changed; the sentence alone would say less.
  if (conflictOf(error)) return []
  return noticesOfBody(await bodyOf(error), status)
}

/** Whether the screen that made the call at an address shows its errors itself. */
function isShownByScreen({ endpoints }: Contract, path: string): boolean {
  const calls = Object.values(endpoints).filter(({ errors }) => errors === 'screen')
  return calls.some((one) => isAddressOf(callOf(one).path, path))
}

// The browser gives calls up when the page is left.
const isAborted = (error: AxiosError) => error.code === 'ECONNABORTED' && error.message === 'Request aborted'

const pathOf = (error: AxiosError) => new URL(error.config?.url ?? '', location.origin).pathname

/** The body as data: what came as a file is read, what is neither JSON nor plain text is undefined. */
async function bodyOf(error: AxiosError): Promise<unknown> {
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

function noticesOfBody(body: unknown, status: number): Notice[] {
  const unreadable = [failure(MESSAGES.unreadable(status))]
  if (body === null || typeof body !== 'object') {
    const text = typeof body === 'string' ? body.trim() : ''
    return text && text.length <= LONGEST ? [failure(text)] : unreadable
  }
  if ('message' in body && typeof body.message === 'string') return [failure(body.message)]
  const lists = [...listsOf(body)]
  if (lists.length > 0) return lists.map(({ title, text }) => failure(text, title))
  const text = JSON.stringify(body)
  return text.length > 2 && text.length <= LONGEST ? [failure(text)] : unreadable
}

/** Every message of lists under keys, nested keys joined by a dot ('a.b'); of a bare list without a title. */
function* listsOf(body: object, at = ''): Generator<{ title?: string; text: string }> {
  if (Array.isArray(body)) {
    for (const item of body) if (typeof item === 'string') yield { title: at || undefined, text: item }
    return
  }
  for (const [key, value] of Object.entries(body))
    if (value !== null && typeof value === 'object') yield* listsOf(value, at ? `${at}.${key}` : key)
}
