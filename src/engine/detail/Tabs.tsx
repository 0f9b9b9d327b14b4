import { NavLink } from 'react-router-dom'
import { allows } from '../../contract/access.ts'
import { fillPath } from '../../contract/call.ts'
import { useContract } from '../runtime/contract.ts'
import { useUser } from '../runtime/user.ts'

/** Links to the parts of a record that this person may open; they are pages of their own, so no ARIA tabs. */
export function Tabs({
  label,
  tabs,
  params,
}: {
  label: string
  tabs: string[]
  params: Record<string, unknown>
}) {
  const { roles, screens } = useContract()
  const { groups } = useUser()
  return (
    <nav className="detail-tabs" aria-label={label}>
      {tabs
        .filter((tab) => allows(roles, screens[tab].roles, groups))
        .map((tab) => (
          <NavLink key={tab} to={fillPath(screens[tab].route, params)}>
            {screens[tab].title}
          </NavLink>
        ))}
    </nav>
  )
}
