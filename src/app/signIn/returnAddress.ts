import { isLocal } from '../../contract/rules.ts'

const KEY = 'returnAddress'
const NEVER = new Set(['/', '/login', '/thanks'])

/** Remembers the wanted address for after sign-in; with a user id it is only for that person. */
export function rememberReturnAddress(path: string, user?: number): void {
  if (isReturnable(path)) sessionStorage.setItem(KEY, JSON.stringify({ path, user }))
}

/** The remembered address where it is for this person; it is forgotten by asking. */
export function popReturnAddress(user: number): string | undefined {
  const text = sessionStorage.getItem(KEY)
  clearReturnAddress()
  const remembered = parsed(text)
  const isTheirs = remembered?.user === undefined || remembered.user === user
  return remembered && isTheirs && isReturnable(remembered.path) ? remembered.path : undefined
}

/** Forgets the remembered address. */
export function clearReturnAddress(): void {
  sessionStorage.removeItem(KEY)
}

/** Whether an address lies on this site and is one to come back to. */
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
