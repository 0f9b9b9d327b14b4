import { Button, Icon } from '@blueprintjs/core'
import type { RenderedColumn } from '../cells/columns.ts'
import type { Row } from './results.ts'
import type { Order } from './useOrder.ts'

interface Props {
  row: Row
  /** Its place, from 0. */
  at: number
  last: number
  columns: RenderedColumn[]
  order: Order
}

/** One row that can be moved: its name, its tags, and the ways to move it. */
export function MovableRow({ row, at, last, columns, order }: Props) {
  const [first] = columns
  const name = String(row[first.field] ?? '')
  const tags = columns.filter(({ as }) => as === 'tag')
  const step = (by: -1 | 1, label: string, does: 'up' | 'down', isAtEdge: boolean) => (
    <Button
      data-does={does}
      variant="minimal"
      size="small"
      icon={does === 'up' ? 'arrow-up' : 'arrow-down'}
      aria-label={`Move ${name} ${label}`}
      aria-disabled={isAtEdge || undefined}
      onClick={() => order.move(at, at + by)}
    />
  )
  return (
    <li
      data-at={at}
      draggable
      className={order.dragged === row.id ? 'reorder-dragged' : undefined}
      onDragStart={(event) => order.drag(event, row.id)}
      onDragOver={(event) => order.dragOver(event, at)}
      onDrop={order.drop}
      onDragEnd={order.endDrag}
    >
      <Icon icon="drag-handle-vertical" aria-hidden />
      <span className="reorder-place" aria-hidden>
        {at + 1}
      </span>
      <span className="reorder-name">{name}</span>
      {tags.map(({ field, property, Cell }) => (
        <Cell key={field} value={row[field]} property={property} row={row} />
      ))}
      {step(-1, 'up', 'up', at === 0)}
      {step(1, 'down', 'down', at === last)}
    </li>
  )
}
