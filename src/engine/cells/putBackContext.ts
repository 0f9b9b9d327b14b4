import { type ComponentType, createContext } from 'react'
import type { Change } from './Changes.tsx'

/** A call that restores the value before a change, and the entry of the audit that has the change. */
export interface PutBackProps {
  call: string
  entry: unknown
  change: Change
}

/** Button that restores a value, provided by the screen: it is an action, and actions are built on cells. */
export const PutBackContext = createContext<ComponentType<PutBackProps> | undefined>(undefined)
