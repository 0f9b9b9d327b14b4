import { type DragEvent, useState } from 'react'
import { type Address, isSame, itemAt, listAt } from '../state/address.ts'
import { describePlace } from '../state/describePlace.ts'
import { moveTo } from '../state/edit.ts'
import type { EditorContextValue } from '../state/editorContext.ts'

/** Drop target: above or below the row at an address, or at the end inside it. */
export interface Target {
  address: Address
  side: 'before' | 'after' | 'inside'
}

/** Drag and drop in the tree by mouse: groups among groups, fields to any group, columns within their repeat. */
export function useDrag({ groups, edit, select, announce }: EditorContextValue) {
  const [dragged, setDragged] = useState<Address>()
  const [target, setTarget] = useState<Target>()
  const stop = () => {
    setDragged(undefined)
    setTarget(undefined)
  }
  const start = (event: DragEvent) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-address]')
    if (!row) return
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', itemAt(groups, addressOf(row))?.label ?? '')
    setDragged(addressOf(row))
  }
  const over = (event: DragEvent) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-address]')
    const next = dragged && row ? targetAt(dragged, row, event.clientY) : undefined
    setTarget((before) =>
      before?.side === next?.side && isSame(before?.address, next?.address) ? before : next,
    )
    if (!next) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    stop()
    if (!dragged || !target) return
    const parent = target.side === 'inside' ? target.address : target.address.slice(0, -1)
    const list = listAt(groups, parent).filter((item) => !isSame([...parent, item.name], dragged))
    const at = list.findIndex((item) => item.name === target.address.at(-1))
    const index = target.side === 'inside' ? list.length : at + (target.side === 'after' ? 1 : 0)
    const label = itemAt(groups, dragged)?.label
    const placed = moveTo(groups, dragged, parent, index)
    edit(() => placed.groups, { what: 'Moved', at: placed.address })
    select({ address: placed.address, focus: false })
    announce(`${label} moved to ${describePlace(placed)}`)
  }
  return {
    dragged,
    target,
    handlers: { onDragStart: start, onDragOver: over, onDrop: drop, onDragEnd: stop },
  }
}

function addressOf(row: HTMLElement): Address {
  return row.dataset.address!.split('.')
}

/** The drop target at a row, or undefined if the dragged item cannot be dropped there. */
function targetAt(dragged: Address, row: HTMLElement, y: number): Target | undefined {
  const address = addressOf(row)
  if (isSame(address, dragged)) return undefined
  const head = row.firstElementChild!.getBoundingClientRect()
  const side = y < head.top + head.height / 2 ? 'before' : 'after'
  if (address.length === dragged.length) {
    // A column stays in its repeat, because its answers are stored there.
    const isBeside = dragged.length < 3 || isSame(address.slice(0, -1), dragged.slice(0, -1))
    return isBeside ? { address, side } : undefined
  }
  if (dragged.length === 2 && address.length === 1) return { address, side: 'inside' }
  return undefined
}
