import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { type Address, isSame, itemAt } from '../address.ts'
import { step } from '../edit.ts'
import type { EditorContextValue } from '../editorContext.ts'
import { describePlace } from './describePlace.ts'

const STEPS: Record<string, -1 | 1> = { ArrowUp: -1, ArrowDown: 1 }

/** Moves things in the tree by one step; says where they are now and keeps the focus on the control that moved them. */
export function useMove(root: RefObject<HTMLElement | null>, editorContext: EditorContextValue) {
  const { groups, edit, select, selection, announce } = editorContext
  const focusSelector = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (focusSelector.current) root.current?.querySelector<HTMLElement>(focusSelector.current)?.focus()
    focusSelector.current = undefined
  })
  const move = (address: Address, by: -1 | 1) => {
    const placed = step(groups, address, by)
    const label = itemAt(groups, address)?.label
    if (!placed) return announce(`${label} is already at the ${by < 0 ? 'top' : 'bottom'}`)
    edit(() => placed.groups, { what: 'Moved', at: placed.address })
    if (!isSame(selection.address, placed.address)) select({ address: placed.address, focus: false })
    focusSelector.current = controlOf(placed.address)
    announce(`${label} moved to ${describePlace(placed)}`)
  }
  const moveOnKey = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-address]')
    if (!by || !event.altKey || !row) return
    event.preventDefault()
    move(row.dataset.address!.split('.'), by)
  }
  return { move, moveOnKey }
}

/** Selector of the control, in the place that it will have, which now has the focus; the row's name otherwise. */
function controlOf(address: Address): string {
  const control = document.activeElement?.getAttribute('data-does')
  return `[data-address="${address.join('.')}"] > div [data-does="${control ?? 'choose'}"]`
}
