import { tabStorage } from '../../engine/core/browserStorage.ts'

/** Name of the window in which a provider is asked while this page stays as it is. */
const WINDOW = 'sign-on'

const CHOSEN = 'signOn'

/** Notes that the person chose a provider: the address alone, in a link of somebody else, must not sign them in. */
export function chooseProvider(provider: string): void {
  tabStorage.set(CHOSEN, provider)
}

/** True once after the person chose a provider. */
export function isChosen(provider: string): boolean {
  const chosen = tabStorage.get(CHOSEN)
  tabStorage.set(CHOSEN, null)
  return chosen === provider
}

/** Opens the page of a provider in a window of its own, which closes itself; null if the browser forbids it. */
export function openSignOn(provider: string, query = ''): Window | null {
  chooseProvider(provider)
  return open(`/sign-on/${provider}${query}`, WINDOW, 'popup,width=520,height=720')
}

/** True in such a window. It loses its name while it is at the provider, but not what its tab remembers. */
export function isSignOnWindow(): boolean {
  if (window.name === WINDOW) tabStorage.set(WINDOW, 'yes')
  return tabStorage.get(WINDOW) === 'yes'
}
