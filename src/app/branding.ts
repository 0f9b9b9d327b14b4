const NAME = 'Advocacy casework'

interface Branding {
  /** Name of the product, in headings and in the titles of pages. */
  product: string
  organisation: string
  /** Whom to call, in words. */
  help: string
  /** One letter or two that stand for the product. */
  mark: string
}

/** How the organisation that runs the product calls it: the server's settings, which the page carries in meta elements. */
export function branding(): Branding {
  const product = metaOf('product') || NAME
  return {
    product,
    organisation: metaOf('organisation'),
    help: metaOf('help'),
    mark: metaOf('mark') || product.charAt(0),
  }
}

/** Draws the page in the organisation's colour. */
export function applyAccent(): void {
  const accent = metaOf('accent')
  if (accent) document.documentElement.style.setProperty('--accent-base', accent)
}

function metaOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}
