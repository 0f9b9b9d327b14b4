import type { Contract } from '../../contract/contract.ts'
import { KEYS, stored } from '../storage.ts'
import { clearSession, currentSession, type Ending, startSession } from './session.ts'

/** Follows what other tabs do: signing out there signs out here, and another person there loads this page anew. */
export function followTabs(contract: Contract, reload = () => location.reload()): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    // A null key is the whole storage being cleared.
    if (key !== KEYS.token && key !== null) return
    const { user } = currentSession()
    if (newValue === null) {
      if (user) clearSession((stored('ended') ?? 'left') as Ending)
    } else if (user) reload()
    else startSession(contract)
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
