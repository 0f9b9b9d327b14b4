import { Classes } from '@blueprintjs/core'

const SETTING = 'singleKeys'

/** Whether keys of one letter do something; a person may switch them off, and the browser remembers that. */
export function singleKeyShortcuts(): boolean {
  return localStorage.getItem(SETTING) !== 'off'
}

/** Switches keys of one letter on or off. */
export function setSingleKeyShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(SETTING)
  else localStorage.setItem(SETTING, 'off')
}

/** Whether a key was meant for the page: not typed into a field, not with a modifier, and no dialog is open. */
export function isPageShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !singleKeyShortcuts())
    return false
  if (document.body.classList.contains(Classes.OVERLAY_OPEN)) return false
  return !(
    event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
  )
}
