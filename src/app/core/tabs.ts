import type { Contract } from '../../contract/contract.ts'
import { clearSession, currentSession, type Ending, joinSession } from './session.ts'
import { KEYS, stored } from './storage.ts'

/** Follows other tabs: a sign-out there signs out here, and a sign-in there reloads this page. */
export function followTabs(contract: Contract, reload = () => location.reload()): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    // A null key is the whole storage being cleared.
    if (key !== KEYS.token && key !== null) return
    const { user } = currentSession()
    if (newValue === null) {
      if (user) clearSession(endingOf(stored('ended')))
    } else if (user) reload()
    else joinSession(contract)
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

/**
 * The ending for this tab of a session that another tab ended: 'left' becomes 'leftElsewhere', because nobody signed
 * out in this tab, which may have unsaved input.
 */
function endingOf(ended: string | null): Ending {
  return ended === null || ended === 'left' ? 'leftElsewhere' : (ended as Ending)
}
