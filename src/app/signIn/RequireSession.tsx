import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { loadable } from '../../engine/core/loadable.tsx'
import { UserContext } from '../../engine/core/user.ts'
import { loadShell } from '../core/loadShell.ts'
import { clearReturnAddress, rememberReturnAddress } from '../core/returnAddress.ts'
import { useSession } from '../core/session.ts'
import { Starting } from './Starting.tsx'

export const Shell = loadable(loadShell, <Starting />)

// Loaded with the toasts, soon after the page: the server may be unreachable when it must cover the page.
const Cover = loadable(() => import('./Cover.tsx'))

/** The shell for a signed-in user; others are redirected to the sign-in page, which returns to the requested page. */
export function RequireSession() {
  const { user, covered } = useSession()
  const owner = user ?? covered
  if (!owner) return <Away />
  return (
    <UserContext value={owner}>
      <Shell key={owner.id} />
      {!user && <Cover />}
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
    const isLeft = ended === 'left' || ended === 'leftElsewhere'
    navigate(isLeft ? '/thanks' : '/login', { replace: true })
  }, [ended, lastUser, requestedUrl, navigate])
  return null
}
