import { NavLink } from 'react-router-dom'
import { useRead } from '../engine/runtime/calls.ts'
import { useContract } from '../engine/runtime/contract.ts'
import { useUser } from '../engine/runtime/user.ts'
import { dashboardEntries } from './menus.ts'

const DRAFTS = 'draft-cases'

/** The dashboard's menu: the screens that the person's roles allow, and drafts only where there are some. */
export function DashboardMenu() {
  const entries = dashboardEntries(useContract(), useUser().groups)
  const mayHaveDrafts = entries.some(({ name }) => name === DRAFTS)
  const { data } = useRead<{ data: unknown[] }>(mayHaveDrafts ? 'drafts.list' : undefined, {
    query: { page_size: 1 },
  })
  const visibleEntries = entries.filter(({ name }) => name !== DRAFTS || (data?.data.length ?? 0) > 0)
  if (visibleEntries.length === 0) return null
  return (
    <nav className="dashboard-menu" aria-label="Dashboard">
      <ul>
        {visibleEntries.map(({ name, label, to }) => (
          <li key={name}>
            <NavLink to={to}>{label}</NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
