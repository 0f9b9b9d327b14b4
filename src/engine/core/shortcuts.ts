import { Classes } from '@blueprintjs/core'
import { browserStorage } from './browserStorage.ts'

const SETTING = 'singleKeys'

/** True if single-key shortcuts are enabled, which is a setting in this browser. */
export function singleKeyShortcuts(): boolean {
  return browserStorage.get(SETTING) !== 'off'
}

export function setSingleKeyShortcuts(on: boolean): void {
  browserStorage.set(SETTING, on ? null : 'off')
}

/** True if a dialog is open, which receives keys then. */
export function isDialogOpen(): boolean {
  return document.body.classList.contains(Classes.OVERLAY_OPEN)
}

/** True if a key is a shortcut of the page: not typed into a field, without a modifier, and no dialog is open. */
export function isPageShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !singleKeyShortcuts())
    return false
  if (isDialogOpen()) return false
  return !(
    event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
  )
}
