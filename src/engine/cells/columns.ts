import type { ComponentType } from 'react'
import type { Contract } from '../../contract/contract.ts'
import type { Column, Property } from '../../contract/generated.ts'
import { type CellName, cells } from '../registry.ts'
import { entityOf } from '../runtime/entityOf.ts'
import type { CellProps } from './cell.ts'

/** A column or fact ready to draw: what its entity says, with what the screen says on top. */
export interface RenderedColumn extends Column {
  title: string
  property: Property
  as: CellName
  Cell: ComponentType<CellProps>
}

/** The columns a screen names, of the entity its call replies with. */
export function columnsOf(contract: Contract, call: string, columns: (string | Column)[]): RenderedColumn[] {
  const { properties } = entityOf(contract, call)
  return columns.map((entry) => {
    const column = typeof entry === 'string' ? { field: entry } : entry
    const property = properties[column.field]
    const as = (column.as ?? cellFor(property, column)) as CellName
    return { ...column, title: column.title ?? property.title, property, as, Cell: cells[as] }
  })
}

const BY_FIELD_TYPE: Partial<Record<string, CellName>> = {
  date: 'date',
  datetime: 'datetime',
  duration: 'hours',
  yesno: 'yesno',
}
const BY_TYPE: Record<string, CellName> = { integer: 'number', number: 'number', boolean: 'yesno' }

/** The cell of a property that no screen says anything about. */
function cellFor({ fieldType, format, lookup, options, type }: Property, { field, link }: Column): CellName {
  if (lookup || options) return 'lookup'
  if (format) return format === 'date' ? 'date' : 'datetime'
  if (fieldType) return BY_FIELD_TYPE[fieldType] ?? 'text'
  // Numbers that name a record are read digit by digit, not counted.
  if (field === 'id' || link) return 'text'
  const [first] = [type].flat()
  return BY_TYPE[first ?? ''] ?? 'text'
}
