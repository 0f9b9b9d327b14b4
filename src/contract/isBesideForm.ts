import { partsOf } from './call.ts'
import type { FormScreen, Screen } from './generated.ts'

/** Whether a screen can be opened beside another: the form of a new record whose address has no parts. */
export function isBesideForm(screen: Screen | undefined): screen is FormScreen {
  return (
    screen?.kind === 'form' && !screen.read && screen.save !== undefined && partsOf(screen.route).length === 0
  )
}
