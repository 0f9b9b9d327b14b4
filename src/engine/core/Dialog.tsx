import type { Dialog as Library, Drawer as LibraryDrawer } from '@blueprintjs/core'
import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import { trackFocus } from './focusTracking.ts'
import { loadable } from './loadable.tsx'

const fetchOverlays = () => import('./overlays.ts')

/** Preloads the dialog code, because the server may be unreachable when a dialog must open. */
export const preloadDialogs = (): void => void fetchOverlays().catch(() => undefined)

/** Blueprint's dialog, lazy-loaded when one opens, because most pages never open one. */
export const Dialog = whenOpen<ComponentProps<typeof Library>>(
  loadable(async () => ({ default: (await fetchOverlays()).Dialog })),
)

/** Blueprint's drawer, lazy-loaded likewise. */
export const Drawer = whenOpen<ComponentProps<typeof LibraryDrawer>>(
  loadable(async () => ({ default: (await fetchOverlays()).Drawer })),
)

function whenOpen<P extends { isOpen?: boolean; onOpened?: (dialog: HTMLElement) => void }>(
  Component: ComponentType<P>,
): ComponentType<P> {
  return function WhenOpen(props) {
    // Stay mounted afterwards, for the closing transition.
    const [wasOpen, setWasOpen] = useState(false)
    if (props.isOpen && !wasOpen) setWasOpen(true)
    useReturnFocus(props.isOpen)
    return wasOpen ? <Component onOpened={focusFirst} {...props} shouldReturnFocusOnClose={false} /> : null
  }
}

/**
 * Restores the focus when a dialog closes, even if it is unmounted while it is open; also for dialogs that follow each
 * other, in the component around them.
 */
export function useReturnFocus(isOpen = false): void {
  useEffect(() => {
    if (!isOpen) return
    const { restore } = trackFocus()
    return () => {
      const closing = document.activeElement?.closest('[role="dialog"], [role="alertdialog"]')
      // By then the dialog has been unmounted, or another one that follows it has the focus.
      requestAnimationFrame(() => restore(closing))
    }
  }, [isOpen])
}

function focusFirst(dialog: HTMLElement): void {
  dialog.querySelector<HTMLElement>('input, select, textarea, button, a[href]')?.focus()
}
