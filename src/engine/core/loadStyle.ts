const loading = new Map<string, Promise<void>>()

/** Adds the style sheet that a meta element of the page names, once; resolves even if it fails to load. */
export function loadStyle(name: string): Promise<void> {
  const href = document.querySelector<HTMLMetaElement>(`meta[name="${name}-style"]`)?.content
  if (!href) return Promise.resolve()
  const loaded = loading.get(href) ?? add(href)
  loading.set(href, loaded)
  return loaded
}

function add(href: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  return new Promise((resolve) => {
    link.onload = () => resolve()
    link.onerror = () => resolve()
    document.head.append(link)
  })
}

/** Loads a chunk together with its style sheet. */
export async function withStyle<T>(name: string, part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, loadStyle(name)])
  return loaded
}
