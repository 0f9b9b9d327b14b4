import type { Dialog as Library, Drawer as LibraryDrawer } from '@blueprintjs/core'
import { type ComponentProps, type ComponentType, lazy, Suspense, useState } from 'react'

const fetchOverlays = () => import('./overlays.ts')

/** Fetches what dialogs are drawn with before one is opened: the server may be gone when it must. */
export const preloadDialogs = (): void => void fetchOverlays().catch(() => undefined)

/** The library's dialog, fetched for the first that opens: most pages never open one. */
export const Dialog = whenOpen<ComponentProps<typeof Library>>(
  lazy(async () => ({ default: (await fetchOverlays()).Dialog })),
)

/** The library's drawer, likewise. */
export const Drawer = whenOpen<ComponentProps<typeof LibraryDrawer>>(
  lazy(async () => ({ default: (await fetchOverlays()).Drawer })),
)

function whenOpen<P extends { isOpen?: boolean }>(Drawn: ComponentType<P>): ComponentType<P> {
  return function WhenOpen(props) {
    // It stays afterwards, to leave in its own way and to give the focus back.
    const [wasOpen, setWasOpen] = useState(false)
    if (props.isOpen && !wasOpen) setWasOpen(true)
    return wasOpen ? (
      <Suspense fallback={null}>
        <Drawn {...props} />
      </Suspense>
    ) : null
  }
}
