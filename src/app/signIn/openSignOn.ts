/** Name of the window in which a provider is asked while this page stays as it is. */
const WINDOW = 'sign-on'

/** Opens the page of a provider in a window of its own, which closes itself; null if the browser forbids it. */
export function openSignOn(provider: string, query = ''): Window | null {
  return open(`/sign-on/${provider}${query}`, WINDOW, 'popup,width=520,height=720')
}

/** True in such a window. */
export function isSignOnWindow(): boolean {
  return window.name === WINDOW
}
