import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { closeBeside, requestCloseBeside, useBeside } from '../../core/beside.ts'
import { Drawer } from '../../core/Dialog.tsx'
import { ErrorBoundary } from '../../core/ErrorBoundary.tsx'
import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'

const BesideForm = loadable(() => withStyle('beside', import('./BesideForm.tsx')))

/** The panel on the right of the page in which a form screen opens without leaving the page. */
export function BesidePanel() {
  const beside = useBeside()
  const { pathname } = useLocation()
  // Close the panel on navigation.
  useEffect(() => closeBeside, [pathname])
  return (
    <Drawer
      isOpen={beside !== undefined}
      onClose={requestCloseBeside}
      size="min(480px, 100vw)"
      onOpened={NOTHING}
    >
      {beside && (
        <ErrorBoundary key={JSON.stringify(beside)} what="The form">
          <BesideForm {...beside} onClose={requestCloseBeside} />
        </ErrorBoundary>
      )}
    </Drawer>
  )
}

/** The form moves the focus itself once it has loaded. */
const NOTHING = () => undefined
