import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { withStyle } from '../runtime/loadStyle.ts'
import { closeBeside, useBeside } from './beside.ts'
import { Drawer } from './Dialog.tsx'
import { loadable } from './loadable.tsx'

const BesideForm = loadable(() => withStyle('beside', import('../form/BesideForm.tsx')))

/** The panel at the right of the page in which a form screen opens, while the page stays as it is. */
export function BesidePanel() {
  const beside = useBeside()
  const { pathname } = useLocation()
  // Whoever goes to another page is done with it.
  useEffect(() => closeBeside, [pathname])
  return (
    <Drawer isOpen={beside !== undefined} onClose={closeBeside} size="min(480px, 100vw)" onOpened={NOTHING}>
      {beside && <BesideForm key={JSON.stringify(beside)} {...beside} onClose={closeBeside} />}
    </Drawer>
  )
}

/** The form takes the focus itself, once it has read what it shows. */
const NOTHING = () => undefined
