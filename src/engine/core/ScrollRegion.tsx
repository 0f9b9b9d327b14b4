import type { ReactNode } from 'react'

/** A scrollable region that can be scrolled by keyboard. */
export function ScrollRegion(props: { label: string; className: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className={props.className} aria-label={props.label} tabIndex={0}>
      {props.children}
    </section>
  )
}
