import { Outlet } from 'react-router-dom'
import { useContract } from '../engine/runtime/contract.ts'
import { Starting } from './Starting.tsx'
import { signOut, startSession, useSession } from './signIn/session.ts'
import { Unreachable } from './Unreachable.tsx'

/** Draws the page once it is known who is signed in. */
export function Root() {
  const contract = useContract()
  const { state } = useSession()
  if (state === 'starting') return <Starting />
  if (state === 'failed')
    return <Unreachable onRetry={() => startSession(contract)} onSignOut={() => signOut(contract)} />
  return <Outlet />
}
