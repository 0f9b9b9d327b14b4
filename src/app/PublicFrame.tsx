import type { ReactNode } from 'react'
import { branding } from './core/branding.ts'

/**
 * The frame of a page for members of the public: whose service it is, and whom to call instead, also while the page
 * cannot be used.
 */
export function PublicFrame({ children }: { children: ReactNode }) {
  const { mark, organisation, product, publicContact } = branding()
  return (
    <>
      <header className="public-head">
        <span className="brand-mark" aria-hidden="true">
          {mark}
        </span>
        {organisation || product}
      </header>
      {children}
      {publicContact && (
        <footer className="public-foot">To speak to somebody instead, call {publicContact}.</footer>
      )}
    </>
  )
}
