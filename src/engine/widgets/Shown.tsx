import { ReadValue } from '../form/ReadList.tsx'
import { type AskProps, specOf } from './ask.ts'

/** A value that is seen on a form and changed elsewhere. */
export function Shown({ id, value, options, registry }: AskProps) {
  const { store, pathOf } = registry.formContext
  return <ReadValue field={specOf(options)!} value={value} scope={store.conditionContextAt(pathOf(id))} />
}
