import { Button } from '@blueprintjs/core'
import { type KeyboardEvent, type ReactElement, useRef, useState } from 'react'
import type { Field, Group } from '../contract/types.ts'
import { type Address, isSame } from './address.ts'
import { useBench } from './bench.ts'
import { Row } from './Row.tsx'
import { useDrag } from './useDrag.ts'
import { useMove } from './useMove.ts'

/** The form as a tree: groups, their fields, the columns of repeats; each can be switched, chosen and moved. */
export function Structure(): ReactElement {
  const { groups, selection } = useBench()
  const root = useRef<HTMLElement>(null)
  const { move, moveOnKey } = useMove(root)
  const { dragged, target, handlers } = useDrag()
  const dragOf = (address: Address) =>
    isSame(dragged, address) ? 'away' : isSame(target?.address, address) ? target?.side : undefined
  const [closed, setClosed] = useState<string[]>([])
  const walk = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const rows = [...root.current!.querySelectorAll<HTMLElement>('[data-row]')]
    const at = rows.indexOf(event.target as HTMLElement)
    if (!by || at < 0 || event.altKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    rows[at + by]?.focus()
  }
  const list = (fields: Field[], parent: Address, isOff: boolean) => (
    <ul>
      {fields.map((field) => (
        <Row
          key={field.name}
          item={field}
          address={[...parent, field.name]}
          drag={dragOf([...parent, field.name])}
          isOff={isOff}
          onMove={move}
        >
          {field.type === 'repeat' &&
            list(field.fields ?? [], [...parent, field.name], isOff || !isOn(field))}
        </Row>
      ))}
      <li>
        <AddButton parent={parent} />
      </li>
    </ul>
  )
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
          const isOpen = !closed.includes(group.name) || selection.address[0] === group.name
          const toggle = () =>
            setClosed(isOpen ? [...closed, group.name] : closed.filter((name) => name !== group.name))
          return (
            <Row
              key={group.name}
              item={group}
              address={[group.name]}
              drag={dragOf([group.name])}
              onMove={move}
              isOpen={isOpen}
              onToggle={toggle}
            >
              {isOpen && list(group.fields, [group.name], !isOn(group))}
            </Row>
          )
        })}
        <li>
          <AddButton parent={[]} />
        </li>
      </ul>
    </section>
  )
}

const ADDS = ['group', 'field', 'column']

function AddButton({ parent }: { parent: Address }) {
  const { select, groups } = useBench()
  const what = ADDS[parent.length]
  const name = parent.at(-1)
  const label = groups.flatMap((g) => [g, ...g.fields]).find((one) => one.name === name)?.label
  return (
    <Button
      className="constructor-add"
      icon="plus"
      size="small"
      variant="minimal"
      text={`Add ${what}`}
      aria-label={label ? `Add ${what} to ${label}` : undefined}
      onClick={() => select({ address: parent, adding: true, focus: true })}
    />
  )
}

function isOn({ attrs }: Group | Field): boolean {
  return attrs?.is_on !== false
}
