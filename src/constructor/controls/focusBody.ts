import { Classes } from '@blueprintjs/core'

/** Moves the focus to the first control of a dialog's body that has opened, unless somebody is in it already. */
export function focusBody(dialog: HTMLElement): void {
  const body = dialog.querySelector(`.${Classes.DIALOG_BODY}`)
  if (!body?.contains(document.activeElement)) body?.querySelector<HTMLElement>('input, select')?.focus()
}
