import { Button, Icon, type IconName } from '@blueprintjs/core'
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { NavLink, useLocation } from 'react-router-dom'
import type { SideEntry } from '../contract/generated.ts'
import { pluralise } from '../contract/pluralise.ts'
import { useRead } from '../engine/core/calls.ts'
import { useContract } from '../engine/core/contract.ts'
import { useUser } from '../engine/core/user.ts'
import { branding } from './core/branding.ts'
import { run } from './core/commands.ts'
import { dashboardEntries, sideEntries } from './core/menus.ts'
import { store, stored } from './core/storage.ts'
import { useWaitingCounts } from './header/notifications.ts'
import { SignOut } from './signIn/SignOut.tsx'

const DRAFTS = 'draft-cases'

/** What the number beside an entry counts, by the name of its screen. */
const COUNTED: Record<string, string> = {
  'my-cases': 'issue',
  [DRAFTS]: 'draft',
  'allocations-required': 'issue',
  'referral-requests': 'new request',
  'referral-messages': 'new message',
  'left-work': 'open item',
  'invalid-cases': 'invalid case',
}

/**
 * The main navigation: the most frequent actions, the dashboard's screens, other screens and the user. It collapses to
 * icons; on a narrow page a button opens it.
 */
export function SideNav() {
  const contract = useContract()
  const { id, groups } = useUser()
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  const [folded, setFolded] = useState(() => stored('foldedNav', id) === 'yes')
  useEffect(() => setOpen(false), [pathname])
  const fold = () => {
    store('foldedNav', folded ? null : 'yes', id)
    setFolded(!folded)
  }
  const entries = sideEntries(contract, groups)
  const at = (place: SideEntry['place']) => entries.filter((entry) => entry.place === place)
  const [dashboard, ...others] = at(undefined)
  return (
    <div className={folded ? 'side side-folded' : 'side'}>
      <Button
        className="side-button"
        icon="menu"
        text="Menu"
        aria-expanded={open}
        aria-controls="side-entries"
        onClick={() => setOpen(!open)}
      />
      <nav id="side-entries" aria-label="Main" className={open ? 'side-entries open' : 'side-entries'}>
        <p className="side-product">
          <span className="brand-mark" aria-hidden="true">
            {branding().mark}
          </span>
          <span className="side-label">{branding().product}</span>
        </p>
        <Entries className="side-new" entries={at('top')} />
        <Entries entries={[dashboard]} />
        <DashboardMenu />
        <Entries entries={others} />
        <div className="side-person">
          <Person />
          <Entries entries={at('bottom')} />
          <button type="button" className="side-fold" aria-pressed={folded} onClick={fold}>
            <Icon icon={folded ? 'double-chevron-right' : 'double-chevron-left'} aria-hidden />
            <span className="side-label">Collapse the menu</span>
          </button>
        </div>
      </nav>
    </div>
  )
}

function Entries({ entries, className }: { entries: SideEntry[]; className?: string }) {
  return (
    <ul className={className}>
      {entries.map((entry) => (
        <li key={entry.label}>{renderEntry(entry)}</li>
      ))}
    </ul>
  )
}

/** The dashboard's menu: the screens that the user's roles allow, with their counts; drafts only if there are any. */
function DashboardMenu() {
  const contract = useContract()
  const { groups } = useUser()
  const entries = dashboardEntries(contract, groups)
  const mayHaveDrafts = entries.some(({ name }) => name === DRAFTS)
  const { data } = useRead<{ pagination: { count: number } }>(mayHaveDrafts ? 'drafts.list' : undefined, {
    query: { page_size: 1 },
  })
  const counts: Record<string, number> = { ...useWaitingCounts(), [DRAFTS]: data?.pagination.count ?? 0 }
  const visible = entries.filter(({ name }) => name !== DRAFTS || counts[DRAFTS] > 0)
  if (visible.length === 0) return null
  return (
    <nav className="side-dashboard" aria-label="Dashboard">
      <ul>
        {visible.map(({ name, label, to, about }) => (
          <li key={name}>
            {/* An entry is not current on the page of another one whose address begins with its own. */}
            <NavLink to={to} title={about} end={visible.some((other) => other.to.startsWith(`${to}/`))}>
              <span className="side-label">{label}</span>{' '}
              {counts[name] > 0 && (
                <b title={pluralise(counts[name], COUNTED[name])}>
                  <span aria-hidden="true">{counts[name]}</span>
                  <span className="visually-hidden">{pluralise(counts[name], COUNTED[name])}</span>
                </b>
              )}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Name and roles of the signed-in user. */
function Person() {
  const { first_name: first, last_name: last, groups } = useUser()
  const { roles } = useContract()
  const labels = roles.roles.filter(({ id }) => groups.includes(id)).map(({ label }) => label)
  return (
    <p className="side-who">
      <span className="side-avatar" aria-hidden="true">
        {first.charAt(0)}
        {last.charAt(0)}
      </span>
      <span className="side-label">
        {first} {last}
        <small>{labels.join(', ')}</small>
      </span>
    </p>
  )
}

function renderEntry(entry: SideEntry): ReactNode {
  const content = (
    <>
      <Icon icon={entry.icon as IconName} aria-hidden />
      <span className="side-label">{entry.label}</span>
    </>
  )
  if (entry.does) return DOES[entry.does](content)
  const { to, sidePanel, label, place } = entry
  const openHere = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    run({ label, sidePanel }, () => undefined)
  }
  return (
    <NavLink
      to={to!}
      title={label}
      end={place === undefined}
      aria-haspopup={sidePanel ? 'dialog' : undefined}
      onClick={sidePanel ? openHere : undefined}
    >
      {content}
    </NavLink>
  )
}

const DOES: Record<NonNullable<SideEntry['does']>, (content: ReactNode) => ReactNode> = {
  manual: (content) => (
    <a href={manualAddress()} target="_blank" rel="noreferrer">
      {content}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  ),
  signOut: (content) => <SignOut>{content}</SignOut>,
}

const manualAddress = () => document.querySelector<HTMLMetaElement>('meta[name=manual]')?.content
