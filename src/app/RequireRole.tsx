import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { allows, landing } from '../contract/access.ts'
import { useDocumentTitle } from '../engine/page/pageContext.ts'
import { useContract } from '../engine/runtime/contract.ts'
import { useUser } from '../engine/runtime/user.ts'
import { MESSAGES } from './messages.ts'

/** A screen for those whose roles allow it; others go to their dashboard. */
export function RequireRole({ screen, children }: { screen: string; children: ReactNode }) {
  const { roles, screens } = useContract()
  const { groups } = useUser()
  const { pathname } = useLocation()
  if (allows(roles, screens[screen]?.roles, groups)) return children
  // Nowhere is left to go where not even the landing page is allowed.
  if (landing(roles, groups) === pathname) return <NoRole />
  return <Navigate to="/dashboard" replace />
}

function NoRole() {
  useDocumentTitle('No access yet')
  return (
    <>
      <h1 className="heading">No access yet</h1>
      <p>{MESSAGES.noRole}</p>
    </>
  )
}
