import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { loadable } from '../../engine/page/loadable.tsx'
import { UserContext } from '../../engine/runtime/user.ts'
import { loadShell } from '../loadShell.ts'
import { Starting } from '../Starting.tsx'
import { clearReturnAddress, rememberReturnAddress } from './returnAddress.ts'
import { useSession } from './session.ts'

export const Shell = loadable(loadShell, <Starting />)

/** The product for a person who is signed in; others go to the sign-in page, which leads back to the wanted address. */
export function RequireSession() {
  const { user } = useSession()
  if (!user) return <Away />
  return (
    <UserContext value={user}>
      <Shell />
    </UserContext>
  )
}

function Away() {
  const { ended, lastUser } = useSession()
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const requestedUrl = pathname + search + hash
  useEffect(() => {
    if (ended === 'left') clearReturnAddress()
    else rememberReturnAddress(requestedUrl, lastUser)
    navigate(ended === 'left' ? '/thanks' : '/login', { replace: true })
  }, [ended, lastUser, requestedUrl, navigate])
  return null
}
