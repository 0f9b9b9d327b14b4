import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { setBreadcrumbs } from '../engine/core/breadcrumbs.ts'
import { useDocumentTitle } from '../engine/core/pageContext.ts'

/** The page at an unknown address. */
export function NotFound() {
  useDocumentTitle('Page not found')
  useEffect(() => setBreadcrumbs([]), [])
  return (
    <>
      <h1 className="heading">Page not found</h1>
      <p>
        Check the address, or go to your <Link to="/dashboard">dashboard</Link>.
      </p>
    </>
  )
}
