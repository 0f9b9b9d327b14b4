import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { Drawer } from '../../core/Dialog.tsx'
import { ErrorBoundary } from '../../core/ErrorBoundary.tsx'
import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'
import { closeSidePanel, requestCloseSidePanel, useSidePanel } from '../../core/sidePanel.ts'

const SidePanelForm = loadable(() => withStyle('sidePanel', import('./SidePanelForm.tsx')))

/** The panel on the right of the page in which a form screen opens without leaving the page. */
export function SidePanel() {
  const sidePanel = useSidePanel()
  const { pathname } = useLocation()
  // Close the panel on navigation.
  useEffect(() => closeSidePanel, [pathname])
  return (
    <Drawer
      isOpen={sidePanel !== undefined}
      onClose={requestCloseSidePanel}
      size="min(480px, 100vw)"
      onOpened={NOTHING}
    >
      {sidePanel && (
        <ErrorBoundary key={JSON.stringify(sidePanel)} what="The form">
          <SidePanelForm {...sidePanel} onClose={requestCloseSidePanel} />
        </ErrorBoundary>
      )}
    </Drawer>
  )
}

/** The form moves the focus itself once it has loaded. */
const NOTHING = () => undefined
