import { isLocal } from '../../contract/localAddress.ts'
import { tabStorage } from '../../engine/core/browserStorage.ts'

const KEY = 'returnAddress'
const NEVER = new Set(['/', '/login', '/thanks'])

/** Stores the requested address for after sign-in; with a user id only for that user. */
export function rememberReturnAddress(path: string, user?: number): void {
  if (isReturnable(path)) tabStorage.set(KEY, JSON.stringify({ path, user }))
}

/** Reads and removes the stored address; undefined if it is for another user. */
export function popReturnAddress(user: number): string | undefined {
  const text = tabStorage.get(KEY)
  clearReturnAddress()
  const remembered = parsed(text)
  const isTheirs = remembered?.user === undefined || remembered.user === user
  return remembered && isTheirs && isReturnable(remembered.path) ? remembered.path : undefined
}

export function clearReturnAddress(): void {
  tabStorage.set(KEY, null)
}

/** True if an address is on this site and may be returned to after sign-in. */
export function isReturnable(path: string): boolean {
  if (!isLocal(path)) return false
  try {
    const url = new URL(path, location.origin)
    return url.origin === location.origin && !NEVER.has(url.pathname)
  } catch {
    return false
  }
}

function parsed(text: string | null): { path: string; user?: number } | undefined {
  try {
    const remembered = JSON.parse(text ?? 'null')
    return typeof remembered?.path === 'string' ? remembered : undefined
  } catch {
    return undefined
  }
}
