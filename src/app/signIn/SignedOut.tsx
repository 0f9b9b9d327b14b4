import { type ReactNode, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { useDocumentTitle } from '../../engine/page/pageContext.ts'
import { popReturnAddress } from './returnAddress.ts'
import { useSession } from './session.ts'

/**
 * A page for people who are not signed in; others go to the address that they wanted, or to their dashboard. One that is
 * `also` for these is for everybody.
 */
export function SignedOut({ title, also, children }: { title: string; also: boolean; children: ReactNode }) {
  const { user } = useSession()
  useDocumentTitle(title)
  return user && !also ? <Onward user={user.id} /> : children
}

function Onward({ user }: { user: number }) {
  const navigate = useNavigate()
  // An effect, because asking for the address forgets it and drawing may happen twice.
  useEffect(() => {
    navigate(popReturnAddress(user) ?? '/dashboard', { replace: true })
  }, [navigate, user])
  return null
}
