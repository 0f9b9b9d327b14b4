declare global {
  /** True in a development build. Replaced at build time, so that production omits the code that it guards. */
  const __DEV__: boolean
}

/** Replaces a style sheet of the page by its newer version ('/assets/main-1a2b.css'), matched without the hash. */
function swapStyle(href: string): void {
  const stem = href.slice(0, href.lastIndexOf('-'))
  const old = document.querySelector<HTMLLinkElement>(`link[rel=stylesheet][href^="${stem}-"]`)
  if (!old || old.getAttribute('href') === href) return
  const next = old.cloneNode() as HTMLLinkElement
  next.href = href
  // Remove the old one once the new one has loaded, so that the page is never unstyled.
  next.onload = () => old.remove()
  old.after(next)
}

/**
 * Subscribes to the development server: style sheets are replaced, changed code reloads the page. `onScreen` gets the
 * event of a changed screen, `onFail` the text of an error (file:line: message) and null once it is fixed.
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
