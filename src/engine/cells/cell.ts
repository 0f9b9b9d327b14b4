import type { Property } from '../../contract/generated.ts'

/** What a cell is given: the value, the property of the entity that says what it means, and the whole row. */
export interface CellProps {
  value: unknown
  property: Property
  row: Record<string, unknown>
}
