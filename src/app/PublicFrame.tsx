import type { ReactNode } from 'react'
import { branding } from './core/branding.ts'

/** A page for members of the public, who see whose page it is, and whom to call instead, also if it is closed. */
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
