import { Link } from 'react-router-dom'
import { isSet } from '../../contract/when.ts'
import { useContract } from '../runtime/contract.ts'
import { linkTo } from '../runtime/link.ts'
import type { RenderedColumn } from './columns.ts'
import { FileLink } from './FileLink.tsx'

/** Addresses of the server's own, which are no pages. */
const FILES = '/api/'

/** A column's value of a row, as its cell draws it, and as a link where the column leads somewhere. */
export function Value({ column, row }: { column: RenderedColumn; row: Record<string, unknown> }) {
  const { Cell, field, link, record, property } = column
  const { entities } = useContract()
  const page = record && entities[String(row[record.entity])]?.page
  const to = page ? linkTo(page, { ...row, id: row[record.id] }) : link && linkTo(link, row)
  const value = row[field]
  const cell = <Cell value={value} property={property} row={row} />
  if (!to) return cell
  // A link without words could be neither seen nor named.
  const words = isSet(value) ? cell : 'Untitled'
  if (to.startsWith(FILES)) return <FileLink {...{ to }} name={String(value ?? 'file')} children={words} />
  return <Link to={to}>{words}</Link>
}
