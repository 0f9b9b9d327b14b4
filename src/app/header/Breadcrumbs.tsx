import { Link } from 'react-router-dom'
import { useCrumbs } from '../../engine/crumbs.ts'

/** The way from the dashboard to the page; the page itself is no link. */
export function Breadcrumbs() {
  const crumbs = useCrumbs()
  const page = crumbs.at(-1)
  const way = [{ label: 'Dashboard', to: '/dashboard' }, ...crumbs.slice(0, -1)]
  return (
    <nav className="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        {way.map(({ label, to }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
        {page?.label && (
          <li>
            <span aria-current="page">{page.label}</span>
          </li>
        )}
      </ol>
    </nav>
  )
}
