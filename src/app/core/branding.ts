const NAME = 'Advocacy casework'

interface Branding {
  /** Name of the product, in headings and in the titles of pages. */
  product: string
  organisation: string
  /** Contact for help, as text. */
  help: string
  /** Contact for members of the public, as text. */
  publicContact: string
  /** Logo of one or two letters. */
  mark: string
}

/** The organisation's branding: settings of the server, read from the page's meta elements. */
export function branding(): Branding {
  const product = metaOf('product') || NAME
  return {
    product,
    organisation: metaOf('organisation'),
    help: metaOf('help'),
    publicContact: metaOf('public-contact'),
    mark: metaOf('mark') || product.charAt(0),
  }
}

/** True if people sign in by providers, which `signOnSettings` reads. */
export function hasProviders(): boolean {
  return metaOf('sign-on') !== ''
}

/** Applies the organisation's accent colour to the page. */
export function applyAccent(): void {
  const accent = metaOf('accent')
  if (accent) document.documentElement.style.setProperty('--accent-base', accent)
}

/** The content of a meta element of the page; '' without it. */
export function metaOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}
