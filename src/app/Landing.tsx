import { Navigate } from 'react-router-dom'
import { landing } from '../contract/access.ts'
import { useContract } from '../engine/runtime/contract.ts'
import { useUser } from '../engine/runtime/user.ts'

/** Leads from /dashboard to where the person's first role lands. */
export function Landing() {
  const { roles } = useContract()
  const { groups } = useUser()
  return <Navigate to={landing(roles, groups)} replace />
}
