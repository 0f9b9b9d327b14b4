import { Button, Icon, type IconName } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import { NavLink, useLocation } from 'react-router-dom'
import type { SideEntry } from '../contract/generated.ts'
import { useContract } from '../engine/runtime/contract.ts'
import { useUser } from '../engine/runtime/user.ts'
import { sideEntries } from './menus.ts'
import { SignOut } from './signIn/SignOut.tsx'

/** The side navigation; on a narrow page it is behind a button. */
export function SideNav() {
  const contract = useContract()
  const { groups } = useUser()
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [pathname])
  return (
    <div className="side">
      <Button
        className="side-button"
        icon="menu"
        text="Menu"
        aria-expanded={open}
        aria-controls="side-entries"
        onClick={() => setOpen(!open)}
      />
      <nav id="side-entries" aria-label="Main" className={open ? 'side-entries open' : 'side-entries'}>
        <ul>
          {sideEntries(contract, groups).map((entry) => (
            <li key={entry.label}>{renderEntry(entry)}</li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

function renderEntry(entry: SideEntry): ReactNode {
  const content = (
    <>
      <Icon icon={entry.icon as IconName} aria-hidden />
      <span>{entry.label}</span>
    </>
  )
  if (entry.does) return DOES[entry.does](content)
  return <NavLink to={entry.to!}>{content}</NavLink>
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
