import { Button, Icon } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'
import type { ListScreen } from '../../../contract/generated.ts'
import type { RenderedColumn } from '../../cells/columns.ts'
import { Busy } from '../../core/Busy.tsx'
import { useRead, useSend } from '../../core/calls.ts'
import { ErrorCard } from '../../core/ErrorCard.tsx'
import { notify } from '../../core/notices.ts'
import { notifyUnhandled } from '../../core/notifyUnhandled.ts'
import type { ListReply, Row } from '../../core/results.ts'
import { UnsavedGuard } from '../../form/drafts/UnsavedGuard.tsx'
import { ListHeader } from './ListHeader.tsx'
import { type Order, useOrder } from './useOrder.ts'

interface Props {
  screen: ListScreen
  title: string
  columns: RenderedColumn[]
  params: Record<string, unknown>
  onEnd: () => void
}

/** All rows of a list, which can be moved by buttons, by keys and by dragging, and are saved together. */
export default function Reorder({ screen, title, columns, params, onEnd }: Props) {
  // Without filters and sorting, because they would hide the real order.
  const read = useRead<ListReply>(screen.source, { params })
  const send = useSend<unknown>(screen.reorder!)
  const box = useRef<HTMLOListElement>(null)
  const order = useOrder(read.data?.data, columns[0].field, box)
  const heading = useRef<HTMLDivElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const save = async () => {
    try {
      await send.mutateAsync({ params, body: { ids: order.rows.map(({ id }) => id) } })
      notify({ kind: 'success', text: 'The order is saved' })
      onEnd()
    } catch (error) {
      // The changed order stays on the page.
      notifyUnhandled(error)
    }
  }
  if (read.error) return <ErrorCard error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Busy lines={10} />
  return (
    <section className="list">
      <div ref={heading} tabIndex={-1} className="reorder-head">
        <ListHeader
          title={`Order: ${title}`}
          about="Drag a row, press its buttons, or press Alt with an arrow key. Nothing changes before you save."
        >
          <Button text="Cancel" onClick={onEnd} />
          <Button
            intent="primary"
            text="Save order"
            loading={send.isPending}
            aria-busy={send.isPending}
            onClick={() => (order.isChanged ? void save() : onEnd())}
          />
        </ListHeader>
      </div>
      <ol className="reorder" ref={box} aria-label={title} onKeyDown={order.onKey}>
        {order.rows.map((row, at) => (
          <MovableRow key={String(row.id)} {...{ row, at, columns, order }} last={order.rows.length - 1} />
        ))}
      </ol>
      <p className="visually-hidden" aria-live="assertive">
        {order.announcement}
      </p>
      <UnsavedGuard when={order.isChanged && !send.isSuccess} />
    </section>
  )
}

interface MovableRowProps {
  row: Row
  /** Its index, from 0. */
  at: number
  last: number
  columns: RenderedColumn[]
  order: Order
}

/** A row that can be moved: its name, its tags, and its buttons. */
function MovableRow({ row, at, last, columns, order }: MovableRowProps) {
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
