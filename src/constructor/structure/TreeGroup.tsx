import { Button } from '@blueprintjs/core'
import { memo, type ReactElement } from 'react'
import { holdsRows } from '../../contract/fieldTypes.ts'
import type { Field, Group } from '../../contract/generated.ts'
import { partsOf } from '../controls/useNear.ts'
import { type Address, isSame } from '../state/address.ts'
import type { EditorContextValue, Selection } from '../state/editorContext.ts'
import type { EditorError } from '../state/editorErrors.ts'
import { Row } from './Row.tsx'
import { RowsPart } from './RowsPart.tsx'
import type { Target } from './useDrag.ts'

/** Actions on the tree; the functions never change their identity. */
export type TreeActions = Pick<EditorContextValue, 'select' | 'edit' | 'announce'> & {
  move: (address: Address, by: -1 | 1) => void
  toggle: (group: string) => void
  /** Toggles the tick of a row; with `isRange` of all rows between it and the last one. */
  tick: (address: Address, isRange: boolean) => void
}

const AWAY = 'away' as const

interface Props {
  group: Group
  /** Its place among the groups, and how many there are. */
  at: number
  of: number
  /** The form is so large that only the rows near the visible area are rendered. */
  isLarge: boolean
  isOpen: boolean
  /** Undefined if it is in another group; likewise `dragged` and `target`. */
  selection: Selection | undefined
  /** Dotted addresses of the ticked rows of the group; undefined in single selection. */
  ticked: ReadonlySet<string> | undefined
  /** Dotted addresses of the rows that a search leaves visible, when nothing is folded; undefined without a search. */
  found: ReadonlySet<string> | undefined
  errors: EditorError[]
  dragged: Address | undefined
  target: Target | undefined
  treeActions: TreeActions
}

/**
 * A group in the tree with its fields and their columns; memoised, so that it renders only when its own props change.
 */
export const TreeGroup = memo(function TreeGroup(props: Props): ReactElement {
  const { group, at, of, isLarge, selection, ticked, found, errors, dragged, target, treeActions } = props
  const isOpen = props.isOpen || found !== undefined
  const rowOf = (address: Address) => ({
    address,
    isChosen: isSame(selection?.address, address) && !selection?.adding,
    isTicked: ticked?.has(address.join('.')),
    errors: errors.filter((p) => isSame(p.address, address)).length,
    drag: isSame(dragged, address) ? AWAY : isSame(target?.address, address) ? target?.side : undefined,
    treeActions,
  })
  const row = (field: Field, parent: Address, isOff: boolean, place?: { at: number; of: number }) => {
    const address = [...parent, field.name]
    return (
      <Row key={field.name} item={field} isOff={isOff} place={place} {...rowOf(address)}>
        {holdsRows(field) &&
          list(field.fields ?? [], address, field.label, isOff || field.attrs?.is_on === false)}
      </Row>
    )
  }
  const list = (fields: Field[], parent: Address, label: string, isOff: boolean) => {
    const listed = fields.filter(({ name }) => !found || found.has([...parent, name].join('.')))
    const add = !found && !ticked && (
      <li>
        <AddButton parent={parent} label={label} onAdd={treeActions.select} />
      </li>
    )
    if (!isLarge)
      return (
        <ul>
          {listed.map((field) => row(field, parent, isOff))}
          {add}
        </ul>
      )
    const held = [selection?.address, dragged].map((address) => address?.[parent.length])
    const parts = partsOf(listed)
    return parts.map((part, i) => (
      <RowsPart
        key={i}
        what="field"
        count={part.length}
        rows={part.length}
        isHeld={part.some(({ name }) => held.includes(name))}
      >
        {() => (
          <>
            {part.map((field) =>
              row(field, parent, isOff, { at: listed.indexOf(field) + 1, of: listed.length }),
            )}
            {i === parts.length - 1 && add}
          </>
        )}
      </RowsPart>
    ))
  }
  return (
    <Row
      item={group}
      place={isLarge ? { at, of } : undefined}
      {...rowOf([group.name])}
      isOpen={isOpen}
      onToggle={found ? undefined : () => treeActions.toggle(group.name)}
    >
      {isOpen && list(group.fields, [group.name], group.label, group.attrs?.is_on === false)}
    </Row>
  )
})

const ADDS = ['group', 'field', 'column']

/** Button that adds an item below an address; `label` is that of the parent, undefined for the form itself. */
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
