import type { Field } from './generated.ts'

/** Value of an argument; `field` is the field that it answers. */
export interface Operand {
  value?: unknown
  field?: Field
  /** A literal text between two parts of a joined text. */
  isSeparator?: boolean
}
