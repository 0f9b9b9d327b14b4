import { Button, type IconName } from '@blueprintjs/core'
import { useContext } from 'react'
import type { Action } from '../../contract/generated.ts'
import { PrintContext } from './print.ts'

/** Prints what the page shows, and the rest of it where that is more. */
export function PrintButton({ action }: { action: Action }) {
  const print = useContext(PrintContext)
  return <Button icon={action.icon as IconName} text={action.label} onClick={print} />
}
