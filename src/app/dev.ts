declare global {
  /** True in a development build; the build puts the value in, so what it guards is left out of production. */
  const __DEV__: boolean
}

/** Puts a newer style sheet ('/assets/main-1a2b.css') in the place of the one of the same beginning, if it is shown. */
function swapStyle(href: string): void {
  const stem = href.slice(0, href.lastIndexOf('-'))
  const old = document.querySelector<HTMLLinkElement>(`link[rel=stylesheet][href^="${stem}-"]`)
  if (!old || old.getAttribute('href') === href) return
  const next = old.cloneNode() as HTMLLinkElement
  next.href = href
  // The old one goes when the new one is there, so the page never stands without.
  next.onload = () => old.remove()
  old.after(next)
}

/**
 * Listens to the development server: style sheets are swapped, code reloads the page. `onScreen` gets what the server
 * says of a changed screen, `onFail` the text of a mistake (file:line: message) and null once it is mended.
 */
export function connectDev({
  onScreen,
  onFail,
}: {
  onScreen: (data: unknown) => void
  onFail: (text: string | null) => void
}): void {
  const events = new EventSource('/__dev')
  const on = (name: string, act: (data: unknown) => void) =>
    events.addEventListener(name, (event) => act(JSON.parse(event.data)))
  let boot: unknown
  on('hello', (data) => {
    if (boot !== undefined && boot !== data) location.reload()
    boot = data
  })
  on('reload', () => location.reload())
  on('css', (hrefs) => (hrefs as string[]).forEach(swapStyle))
  on('screen', onScreen)
  on('fail', (text) => onFail(text as string | null))
}
