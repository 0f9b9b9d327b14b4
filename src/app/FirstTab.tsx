import { Navigate, useLocation, useParams } from 'react-router-dom'
import { fillPath } from '../contract/call.ts'
import type { DetailScreen } from '../contract/generated.ts'
import { useContract } from '../engine/runtime/contract.ts'

/** Leads from a detail's own address to that of its first tab. */
export function FirstTab({ screen }: { screen: string }) {
  const { screens } = useContract()
  const params = useParams()
  const { search, hash } = useLocation()
  const [first] = (screens[screen] as DetailScreen).tabs
  return <Navigate to={fillPath(screens[first].route, params) + search + hash} replace />
}
