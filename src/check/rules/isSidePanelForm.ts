import { partsOf } from '../../contract/call.ts'
import type { FormScreen, Screen } from '../../contract/generated.ts'

/** True if a screen can be opened beside another: the form of a new record whose route has no parameters. */
export function isSidePanelForm(screen: Screen | undefined): screen is FormScreen {
  return (
    screen?.kind === 'form' && !screen.read && screen.save !== undefined && partsOf(screen.route).length === 0
  )
}
