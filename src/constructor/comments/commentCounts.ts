import { createContext, useContext } from 'react'
import type { Address } from '../state/address.ts'

/** Number of open comments of a case type, and of those on the fields of each form, by key. */
export interface OpenComments {
  open: number
  case: Record<string, number>
  issue: Record<string, number>
}

/** Number of open comments on the fields of a form, by key ('family.phone'). */
export const CommentCounts = createContext<Record<string, number>>({})

/** Number of open comments on the field at an address; a group has none. */
export function useCommentCount(address: Address): number {
  const counts = useContext(CommentCounts)
  const key = keyOf(address)
  return Object.hasOwn(counts, key) ? counts[key] : 0
}

export function keyOf(address: Address): string {
  return address.slice(1).join('.')
}
