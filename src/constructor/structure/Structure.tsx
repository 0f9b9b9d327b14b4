import { type KeyboardEvent, type ReactElement, useMemo, useRef, useState } from 'react'
import type { Address } from '../address.ts'
import type { EditorContextValue } from '../editorContext.ts'
import type { EditorError } from '../editorErrors.ts'
import { AddButton, TreeGroup } from './TreeGroup.tsx'
import { useDrag } from './useDrag.ts'
import { useMove } from './useMove.ts'
import { useStableCallbacks } from './useStableCallbacks.ts'

const NONE: EditorError[] = []

/**
 * The form as a tree: groups, their fields, the columns of repeats; each can be switched, chosen and moved. The bench is
 * given it, not taken from its context: a change of that is looked for in every row.
 */
export function Structure({ editorContext }: { editorContext: EditorContextValue }): ReactElement {
  const { groups, selection, errors, select, edit, announce } = editorContext
  const root = useRef<HTMLElement>(null)
  const { move, moveOnKey } = useMove(root, editorContext)
  const { dragged, target, handlers } = useDrag(editorContext)
  const [closed, setClosed] = useState<string[]>([])
  const toggle = (name: string) =>
    setClosed((before) => (before.includes(name) ? before.filter((one) => one !== name) : [...before, name]))
  const treeActions = useStableCallbacks({ select, edit, announce, move, toggle })
  const byGroupName = useMemo(() => byGroup(errors), [errors])
  const walk = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const rows = [...root.current!.querySelectorAll<HTMLElement>('[data-row]')]
    const at = rows.indexOf(event.target as HTMLElement)
    if (!by || at < 0 || event.altKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    rows[at + by]?.focus()
  }
  return (
    <section
      className="constructor-pane constructor-structure"
      aria-labelledby="constructor-structure"
      ref={root}
      {...handlers}
      onKeyDown={(event) => {
        moveOnKey(event)
        walk(event)
      }}
    >
      <h2 id="constructor-structure">Structure</h2>
      <p className="constructor-hint">
        Arrow keys go through the rows; with Alt they move a row. Rows can also be dragged.
      </p>
      <ul>
        {groups.map((group) => {
          const isOfIt = (address: Address | undefined) => address?.[0] === group.name
          return (
            <TreeGroup
              key={group.name}
              group={group}
              isOpen={!closed.includes(group.name) || isOfIt(selection.address)}
              selection={isOfIt(selection.address) ? selection : undefined}
              errors={byGroupName.get(group.name) ?? NONE}
              dragged={isOfIt(dragged) ? dragged : undefined}
              target={isOfIt(target?.address) ? target : undefined}
              treeActions={treeActions}
            />
          )
        })}
        <li>
          <AddButton parent={[]} onAdd={treeActions.select} />
        </li>
      </ul>
    </section>
  )
}

function byGroup(errors: EditorError[]): Map<string, EditorError[]> {
  const groups = new Map<string, EditorError[]>()
  for (const one of errors) {
    const [name] = one.address
    groups.set(name, [...(groups.get(name) ?? []), one])
  }
  return groups
}
