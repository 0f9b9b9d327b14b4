import { Bell } from './Bell.tsx'
import { Breadcrumbs } from './Breadcrumbs.tsx'
import { KeyboardShortcuts } from './KeyboardShortcuts.tsx'
import { QuickSearch } from './QuickSearch.tsx'

/** Above every page: where one is, the way to a client, and what has happened. */
export function Header() {
  return (
    <header className="header">
      <Breadcrumbs />
      <QuickSearch />
      <KeyboardShortcuts />
      <Bell />
    </header>
  )
}
