import { type ReactNode, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { useDocumentTitle } from '../../engine/core/pageContext.ts'
import { popReturnAddress } from '../core/returnAddress.ts'
import { useSession } from '../core/session.ts'

/**
 * A page for users who are not signed in; others are redirected to the address that they requested, or to their
 * dashboard. With `also` signed-in users see the page too.
 */
export function SignedOut({ title, also, children }: { title: string; also: boolean; children: ReactNode }) {
  const { user } = useSession()
  useDocumentTitle(title)
  return user && !also ? <ReturnRedirect user={user.id} /> : children
}

function ReturnRedirect({ user }: { user: number }) {
  const navigate = useNavigate()
  // In an effect, because reading the address removes it and rendering may happen twice.
  useEffect(() => {
    navigate(popReturnAddress(user) ?? '/dashboard', { replace: true })
  }, [navigate, user])
  return null
}
