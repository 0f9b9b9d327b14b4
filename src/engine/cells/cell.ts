import type { Property } from '../../contract/generated.ts'

/** Props of a cell: the value, its property in the entity, and the whole row. */
export interface CellProps {
  value: unknown
  property: Property
  row: Record<string, unknown>
}
