import { tabStorage } from '../../engine/core/browserStorage.ts'

/** Name of the window in which the page of a provider opens while this page stays. */
const WINDOW = 'sign-on'

const CHOSEN = 'signOn'

/** Stores in this tab that the person chose a provider, because a link from somebody else must not sign them in. */
export function chooseProvider(provider: string): void {
  tabStorage.set(CHOSEN, provider)
}

/** True once after the person chose a provider. */
export function isChosen(provider: string): boolean {
  const chosen = tabStorage.get(CHOSEN)
  tabStorage.set(CHOSEN, null)
  return chosen === provider
}

/** Opens the page of a provider in a separate window, which closes itself; null if the browser blocks it. */
export function openSignOn(provider: string, query = ''): Window | null {
  chooseProvider(provider)
  return open(`/sign-on/${provider}${query}`, WINDOW, 'popup,width=520,height=720')
}

/**
 * True in a window that `openSignOn` opened. The window may lose its name at the provider, but keeps its session
 * storage.
 */
export function isSignOnWindow(): boolean {
  if (window.name === WINDOW) tabStorage.set(WINDOW, 'yes')
  return tabStorage.get(WINDOW) === 'yes'
}
