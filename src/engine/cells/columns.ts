import type { ComponentType } from 'react'
import type { Contract } from '../../contract/contract.ts'
import { defaultCell } from '../../contract/defaultCell.ts'
import type { Column, Property } from '../../contract/generated.ts'
import { entityOf } from '../core/entityOf.ts'
import type { CellProps } from './cell.ts'
import { type CellName, cells } from './cells.ts'

/** A column or fact to render: the entity's property, overridden by the screen's settings. */
export interface RenderedColumn extends Column {
  title: string
  property: Property
  as: CellName
  Cell: ComponentType<CellProps>
  otherwiseColumn?: RenderedColumn
  /** Texts of its tags, in their order. */
  tagWords: string[]
}

/** The columns of a screen, for the entity that its call returns. */
export function columnsOf(contract: Contract, call: string, columns: (string | Column)[]): RenderedColumn[] {
  const { properties } = entityOf(contract, call)
  return columns.map((entry) => {
    const column = typeof entry === 'string' ? { field: entry } : entry
    const property = properties[column.field]
    const as = (column.as ?? defaultCell(property, column)) as CellName
    const tagWords = (column.tags ?? []).map((tag) => properties[tag.field].title)
    const otherwiseColumn = column.otherwise && columnsOf(contract, call, [column.otherwise])[0]
    return {
      ...column,
      title: column.title ?? property.title,
      property,
      as,
      Cell: cells[as],
      tagWords,
      otherwiseColumn,
    }
  })
}
