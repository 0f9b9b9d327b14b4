import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router-dom'
import type { Property } from '../../contract/generated.ts'
import { DIED, deathOf } from '../../contract/lifespan.ts'
import { holds, isSet } from '../../contract/when.ts'
import { useContract } from '../core/contract.ts'
import { fileName, save } from '../core/download.ts'
import { http } from '../core/http.ts'
import { linkTo } from '../core/link.ts'
import type { RenderedColumn } from './columns.ts'
import { Tag } from './TagCell.tsx'

/** Prefix of addresses of the server, which are not pages. */
const FILES = '/api/'

/** Cells of counts and sums, which are no links if they are zero. */
const COUNTS = ['number', 'hours']

/** A column's value in a row, rendered by its cell, as a link if the column has one; a name says if the person died. */
export function Value({ column, row }: { column: RenderedColumn; row: Record<string, unknown> }) {
  const isOfDead = isName(column.property) && deathOf(column.property, row) !== undefined
  const value = <LinkedValue {...{ column, row }} />
  if (!isOfDead) return value
  return (
    // The class of tags in a list's row, so that a narrow column clips the name and not the tag.
    <span className="list-tagged">
      <span>{value}</span> <Tag word={DIED} />
    </span>
  )
}

/** True for a plain text such as a name. Values with a format or options are dates or choices, which need no tag. */
function isName({ format, options, type }: Property): boolean {
  return !format && !options && [type].flat().includes('string')
}

function LinkedValue({ column: own, row }: { column: RenderedColumn; row: Record<string, unknown> }) {
  const column = isSet(row[own.field]) ? own : (own.otherwiseColumn ?? own)
  const { Cell, field, link, record, property, as } = column
  const { entities } = useContract()
  const page = record && entities[String(row[record.entity])]?.page
  const to = page ? linkTo(page, { ...row, id: row[record.id] }) : link && linkTo(link, row)
  const value = row[field]
  if (own.blank && !isSet(value) && holds(own.blank.when, { record: row }))
    return <span className="blank">{own.blank.text}</span>
  const cell = <Cell value={value} property={property} row={row} />
  // A count of zero has no rows to link to.
  if (!to || (COUNTS.includes(as) && !value)) return cell
  // A link without text would be invisible and have no accessible name.
  const words = isSet(value) ? cell : 'Untitled'
  if (to.startsWith(FILES)) return <FileLink {...{ to }} name={String(value ?? 'file')} children={words} />
  return <Link to={to}>{words}</Link>
}

/** Downloads a file by a request, because a plain link would not send the session's token. */
function FileLink({ to, name, children }: { to: string; name: string; children: ReactNode }) {
  const going = useRef(false)
  const download = async () => {
    if (going.current) return
    going.current = true
    try {
      const { data, headers } = await http.get<Blob>(to, { responseType: 'blob', timeout: 0 })
      save(data, fileName(String(headers['content-disposition'] ?? '')) ?? name)
    } catch {
      // The HTTP client has shown the error.
    } finally {
      going.current = false
    }
  }
  return (
    <button type="button" className="link-button" onClick={() => void download()}>
      <span className="visually-hidden">Download</span> {children}
    </button>
  )
}
