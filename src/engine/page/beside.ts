import { useSyncExternalStore } from 'react'
import type { Values } from '../../contract/when.ts'

/** A form screen that is open beside the page. */
export interface Beside {
  screen: string
  /** What its address would say. */
  query: Values
  /** What it begins with besides, such as the first words of a note, which no address should hold. */
  initialValues: Values
}

let current: Beside | undefined
const listeners = new Set<() => void>()

function set(next: Beside | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

/** Opens a form screen beside the page. */
export function openBeside(screen: string, query: Values = {}, initialValues: Values = {}): void {
  set({ screen, query, initialValues })
}

/** Closes what is open beside the page; what was typed stays a draft. */
export function closeBeside(): void {
  set(undefined)
}

/** What is open beside the page. */
export function useBeside(): Beside | undefined {
  return useSyncExternalStore(subscribe, () => current)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
