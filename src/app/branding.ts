import { Classes } from '@blueprintjs/core'

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
  const of = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
  const product = of('product') || NAME
  return {
    product,
    organisation: of('organisation'),
    help: of('help'),
    mark: of('mark') || product.charAt(0),
  }
}

/** Draws the page in the organisation's colour, and as the system prefers: light or dark. */
export function startTheme(): void {
  const accent = document.querySelector<HTMLMetaElement>('meta[name=accent]')?.content
  if (accent) document.documentElement.style.setProperty('--accent-base', accent)
  const dark = window.matchMedia?.('(prefers-color-scheme: dark)')
  const apply = () => document.body.classList.toggle(Classes.DARK, dark?.matches ?? false)
  dark?.addEventListener('change', apply)
  apply()
}
