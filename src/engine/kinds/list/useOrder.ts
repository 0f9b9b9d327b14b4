import { type DragEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { Row } from '../../core/results.ts'

/** The rows in the user's order, and the handlers to change it. */
export interface Order {
  rows: Row[]
  isChanged: boolean
  /** Text about the last move for screen readers. */
  announcement: string
  /** Id of the row that is being dragged. */
  dragged: unknown
  move: (from: number, to: number) => void
  onKey: (event: KeyboardEvent) => void
  drag: (event: DragEvent, id: unknown) => void
  dragOver: (event: DragEvent, at: number) => void
  drop: (event: DragEvent) => void
  endDrag: () => void
}

const STEPS: Record<string, -1 | 1> = { ArrowUp: -1, ArrowDown: 1 }

/** Moves rows of a list by buttons, keys or dragging; the focus stays on the button that moved one. */
export function useOrder(read: Row[] | undefined, field: string, box: RefObject<HTMLElement | null>): Order {
  const [ids, setIds] = useState<unknown[]>()
  const [announcement, setAnnouncement] = useState('')
  const [dragged, setDragged] = useState<unknown>()
  const before = useRef<unknown[]>(undefined)
  const focus = useRef<string>(undefined)
  const byId = new Map((read ?? []).map((row) => [row.id, row]))
  // Rows that were added meanwhile are at the end.
  const placed = (ids ?? []).filter((id) => byId.has(id))
  const rows = [...placed, ...[...byId.keys()].filter((id) => !placed.includes(id))].map(
    (id) => byId.get(id)!,
  )
  useLayoutEffect(() => {
    if (focus.current) box.current?.querySelector<HTMLElement>(focus.current)?.focus()
    focus.current = undefined
  })

  const nameOf = (row: Row) => String(row[field] ?? '')
  const put = (from: number, to: number) => {
    const all = rows.map(({ id }) => id)
    setIds(all.toSpliced(from, 1).toSpliced(to, 0, all[from]))
  }
  const announce = (row: Row, at: number) =>
    setAnnouncement(`${nameOf(row)} is now ${at + 1} of ${rows.length}`)
  const move = (from: number, to: number) => {
    const row = rows[from]
    if (to < 0 || to >= rows.length)
      return setAnnouncement(`${nameOf(row)} is already ${to < 0 ? 'first' : 'last'}`)
    const does = document.activeElement?.getAttribute('data-does') ?? 'up'
    focus.current = `[data-at="${to}"] [data-does="${does}"]`
    put(from, to)
    announce(row, to)
  }
  const at = rows.findIndex(({ id }) => id === dragged)
  return {
    rows,
    isChanged: ids !== undefined && rows.some(({ id }, i) => id !== read?.[i]?.id),
    announcement,
    dragged,
    move,
    onKey: (event) => {
      const by = STEPS[event.key]
      const item = (event.target as HTMLElement).closest<HTMLElement>('[data-at]')
      if (!by || !event.altKey || !item) return
      event.preventDefault()
      move(Number(item.dataset.at), Number(item.dataset.at) + by)
    },
    drag: (event, id) => {
      event.dataTransfer.effectAllowed = 'move'
      // Without data Firefox does not drag.
      event.dataTransfer.setData('text/plain', String(id))
      before.current = rows.map((row) => row.id)
      setDragged(id)
    },
    dragOver: (event, to) => {
      if (at < 0) return
      event.preventDefault()
      if (at !== to) put(at, to)
    },
    drop: (event) => {
      event.preventDefault()
      if (at >= 0) announce(rows[at], at)
      before.current = undefined
    },
    endDrag: () => {
      // Dropped outside or cancelled with Escape: restore the order.
      if (before.current) setIds(before.current)
      before.current = undefined
      setDragged(undefined)
    },
  }
}
