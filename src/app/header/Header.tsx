import { Link } from 'react-router-dom'
import { useBreadcrumbs } from '../../engine/core/breadcrumbs.ts'
import { Bell } from './Bell.tsx'
import { KeyboardShortcuts } from './KeyboardShortcuts.tsx'
import { QuickSearch } from './QuickSearch.tsx'
import { useRecentRecords } from './recentRecords.ts'

/** The header of every page: breadcrumbs, quick search, shortcuts and notifications. */
export function Header() {
  useRecentRecords()
  return (
    <header className="header">
      <Breadcrumbs />
      <QuickSearch />
      <KeyboardShortcuts />
      <Bell />
    </header>
  )
}

/** The path from the dashboard to the page; the page itself is not a link. */
function Breadcrumbs() {
  const breadcrumbs = useBreadcrumbs()
  const page = breadcrumbs.at(-1)
  const parents = [{ label: 'Dashboard', to: '/dashboard' }, ...breadcrumbs.slice(0, -1)]
  return (
    <nav className="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        {parents.map(({ label, to }) => (
          <li key={to}>
            <Link to={to} title={label}>
              {label}
            </Link>
          </li>
        ))}
        {page?.label && (
          <li>
            <span aria-current="page" title={page.label}>
              {page.label}
            </span>
          </li>
        )}
      </ol>
    </nav>
  )
}
