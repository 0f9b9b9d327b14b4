import { useSyncExternalStore } from 'react'
import type { Values } from '../../contract/when.ts'

/** A form screen that is open beside the page. */
export interface SidePanelRequest {
  screen: string
  /** Query parameters, as in the URL of the screen. */
  query: Values
  /** Further initial values that must not be in a URL, such as the first words of a note. */
  initialValues: Values
}

let current: SidePanelRequest | undefined
const listeners = new Set<() => void>()

function set(next: SidePanelRequest | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

/** Opens a form screen beside the page. */
export function openSidePanel(screen: string, query: Values = {}, initialValues: Values = {}): void {
  set({ screen, query, initialValues })
}

let mayClose: (() => boolean) | undefined

/** Sets the function that may refuse to close the form beside the page, until the returned function is called. */
export function guardSidePanel(guard: () => boolean): () => void {
  mayClose = guard
  return () => {
    if (mayClose === guard) mayClose = undefined
  }
}

/** Closes the form beside the page unless its guard refuses. */
export function requestCloseSidePanel(): void {
  if (!mayClose || mayClose()) closeSidePanel()
}

/** Closes the form beside the page; its input stays as a draft. */
export function closeSidePanel(): void {
  set(undefined)
}

/** The form screen that is open beside the page. */
export function useSidePanel(): SidePanelRequest | undefined {
  return useSyncExternalStore(subscribe, () => current)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
