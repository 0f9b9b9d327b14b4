const loading = new Map<string, Promise<void>>()

/** Adds the style sheet that a meta element of the page names, once; also done when it cannot be had. */
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

/** A part of the program together with the style sheet that it is drawn with. */
export async function withStyle<T>(name: string, part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, loadStyle(name)])
  return loaded
}
