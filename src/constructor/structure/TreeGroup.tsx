import { Button } from '@blueprintjs/core'
import { memo, type ReactElement } from 'react'
import type { Field, Group } from '../../contract/generated.ts'
import { type Address, isSame } from '../address.ts'
import type { EditorContextValue, Selection } from '../editorContext.ts'
import type { EditorError } from '../editorErrors.ts'
import { Row } from './Row.tsx'
import type { Target } from './useDrag.ts'

/** What can be done with the tree; always the same functions. */
export type TreeActions = Pick<EditorContextValue, 'select' | 'edit' | 'announce'> & {
  move: (address: Address, by: -1 | 1) => void
  toggle: (group: string) => void
  /** Ticks a row or takes its tick away; with `isRange` all rows between it and the last one. */
  tick: (address: Address, isRange: boolean) => void
}

const AWAY = 'away' as const

interface Props {
  group: Group
  isOpen: boolean
  /** Each of these only where it is about this group. */
  selection: Selection | undefined
  /** Dotted addresses of the rows of it that are ticked; undefined while only one is chosen at a time. */
  ticked: ReadonlySet<string> | undefined
  /** Dotted addresses of the rows that a search leaves, and then nothing is folded; undefined while there is none. */
  found: ReadonlySet<string> | undefined
  errors: EditorError[]
  dragged: Address | undefined
  target: Target | undefined
  treeActions: TreeActions
}

/** A group in the tree with its fields and their columns; drawn again only when something of it changes. */
export const TreeGroup = memo(function TreeGroup(props: Props): ReactElement {
  const { group, selection, ticked, found, errors, dragged, target, treeActions } = props
  const isOpen = props.isOpen || found !== undefined
  const rowOf = (address: Address) => ({
    address,
    isChosen: isSame(selection?.address, address) && !selection?.adding,
    isTicked: ticked?.has(address.join('.')),
    errors: errors.filter((p) => isSame(p.address, address)).length,
    drag: isSame(dragged, address) ? AWAY : isSame(target?.address, address) ? target?.side : undefined,
    treeActions,
  })
  const list = (fields: Field[], parent: Address, label: string, isOff: boolean) => (
    <ul>
      {fields.map((field) => {
        const address = [...parent, field.name]
        if (found && !found.has(address.join('.'))) return null
        return (
          <Row key={field.name} item={field} isOff={isOff} {...rowOf(address)}>
            {field.type === 'repeat' &&
              list(field.fields ?? [], address, field.label, isOff || field.attrs?.is_on === false)}
          </Row>
        )
      })}
      {!found && !ticked && (
        <li>
          <AddButton parent={parent} label={label} onAdd={treeActions.select} />
        </li>
      )}
    </ul>
  )
  return (
    <Row
      item={group}
      {...rowOf([group.name])}
      isOpen={isOpen}
      onToggle={found ? undefined : () => treeActions.toggle(group.name)}
    >
      {isOpen && list(group.fields, [group.name], group.label, group.attrs?.is_on === false)}
    </Row>
  )
})

const ADDS = ['group', 'field', 'column']

/** Adds below what stands at an address; the form itself has no label. */
export function AddButton(props: {
  parent: Address
  label?: string
  onAdd: TreeActions['select']
}): ReactElement {
  const { parent, label, onAdd } = props
  const what = ADDS[Math.min(parent.length, 2)]
  return (
    <Button
      className="constructor-add"
      icon="plus"
      size="small"
      variant="minimal"
      text={`Add ${what}`}
      aria-label={label ? `Add ${what} to ${label}` : undefined}
      onClick={() => onAdd({ address: parent, adding: true, focus: true })}
    />
  )
}
