import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router-dom'
import { isSet } from '../../contract/when.ts'
import { fileName, save } from '../list/download.ts'
import { useContract } from '../runtime/contract.ts'
import { http } from '../runtime/http.ts'
import { linkTo } from '../runtime/link.ts'
import type { RenderedColumn } from './columns.ts'

/** Addresses of the server's own, which are no pages. */
const FILES = '/api/'

/** A column's value of a row, as its cell draws it, and as a link where the column leads somewhere. */
export function Value({ column: own, row }: { column: RenderedColumn; row: Record<string, unknown> }) {
  const column = isSet(row[own.field]) ? own : (own.otherwiseColumn ?? own)
  const { Cell, field, link, record, property, as } = column
  const { entities } = useContract()
  const page = record && entities[String(row[record.entity])]?.page
  const to = page ? linkTo(page, { ...row, id: row[record.id] }) : link && linkTo(link, row)
  const value = row[field]
  const cell = <Cell value={value} property={property} row={row} />
  // No rows stand behind nothing.
  if (!to || (as === 'number' && !value)) return cell
  // A link without words could be neither seen nor named.
  const words = isSet(value) ? cell : 'Untitled'
  if (to.startsWith(FILES)) return <FileLink {...{ to }} name={String(value ?? 'file')} children={words} />
  return <Link to={to}>{words}</Link>
}

/** Saves a file of the server's: by a call, for a plain link would go without the session's token. */
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
