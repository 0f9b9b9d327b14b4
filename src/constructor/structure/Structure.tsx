import { Button } from '@blueprintjs/core'
import {
  type KeyboardEvent,
  memo,
  type ReactElement,
  type RefObject,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { countFields } from '../../contract/meta/formLimits.ts'
import { LimitNote } from '../controls/LimitNote.tsx'
import { isLarge, renderNow } from '../controls/useNear.ts'
import { type Address, addressesIn, isSame, itemAt } from '../state/address.ts'
import { describePlace } from '../state/describePlace.ts'
import { duplicateItems } from '../state/duplicate.ts'
import { step } from '../state/edit.ts'
import type { EditorContextValue } from '../state/editorContext.ts'
import type { EditorError } from '../state/editorErrors.ts'
import { useStableCallbacks } from '../state/useStable.ts'
import { findItems } from './findItems.ts'
import { GroupParts } from './GroupParts.tsx'
import { SearchBox } from './SearchBox.tsx'
import { AddButton, TreeGroup } from './TreeGroup.tsx'
import { useDrag } from './useDrag.ts'

const STEPS: Record<string, -1 | 1> = { ArrowUp: -1, ArrowDown: 1 }

/**
 * Elements that the arrow keys move between: the search box, the rows, and placeholders of rows that are not rendered.
 */
const WALKED = '[type="search"], [data-row], [data-unrendered]'

const NONE: EditorError[] = []

interface Props {
  editorContext: EditorContextValue
}

/**
 * The form as a tree of groups, fields and columns; each can be switched, selected and moved. Gets the editor
 * context as a prop, because a context consumer in every row would render on each change.
 */
export const Structure = memo(function Structure({ editorContext }: Props): ReactElement {
  const { groups, selection, errors, select, edit, announce } = editorContext
  const root = useRef<HTMLElement>(null)
  const { move, actOnKey } = useRowKeys(root, editorContext)
  const { dragged, target, handlers } = useDrag(editorContext)
  const [closed, setClosed] = useState<string[]>([])
  const toggle = (name: string) =>
    setClosed((before) => (before.includes(name) ? before.filter((one) => one !== name) : [...before, name]))
  const byGroupName = useMemo(() => byGroup(errors), [errors])
  const [typed, setTyped] = useState('')
  const sought = useDeferredValue(typed)
  const found = useMemo(() => findItems(groups, sought), [groups, sought])
  const isListed = (address: Address) => {
    const [group] = address
    if (found) return found.rows.get(group)?.has(address.join('.')) === true
    return address.length === 1 || !closed.includes(group)
  }
  const { ticked, tick } = useTicks(editorContext, isListed)
  const treeActions = useStableCallbacks({ select, edit, announce, move, toggle, tick })
  const isInParts = useMemo(() => isLarge(groups), [groups])
  const walk = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const rows = () => [...root.current!.querySelectorAll<HTMLElement>(WALKED)]
    const at = () => rows().indexOf(event.target as HTMLElement)
    if (!by || at() < 0 || event.altKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    const next = () => rows()[at() + by]
    // Render what comes next until it is a row: a part of groups can contain further parts that are not rendered.
    for (let row = next(); row?.hasAttribute('data-unrendered'); row = next()) {
      const unrendered = row
      flushSync(() => renderNow(unrendered))
    }
    next()?.focus()
  }
  const listed = groups.filter(({ name }) => !found || found.rows.has(name))
  useRowInView(root, selection.address)
  return (
    <section
      className="constructor-pane constructor-structure"
      aria-labelledby="constructor-structure"
      ref={root}
      {...handlers}
      onKeyDown={(event) => {
        actOnKey(event)
        walk(event)
      }}
    >
      <h2 id="constructor-structure">Structure</h2>
      <p className="constructor-hint">
        Arrow keys go through the rows, with Alt they move a row, Ctrl+D duplicates it. Rows can also be
        dragged.
      </p>
      <LimitNote what="groups" count={groups.length} />
      <LimitNote what="fields" count={countFields({ fields: groups.flatMap(({ fields }) => fields) })} />
      <Button
        className="constructor-tick-rows"
        size="small"
        variant="outlined"
        icon="multi-select"
        text="Choose several"
        active={ticked !== undefined}
        aria-pressed={ticked !== undefined}
        onClick={() => select(ticked ? { address: [] } : { address: [], ticked: [], focus: false })}
      />
      <SearchBox typed={typed} onType={setTyped} count={found?.count} />
      <GroupParts groups={listed} isLarge={isInParts} held={[selection.address[0], dragged?.[0]]}>
        {(group) => {
          const isOfIt = (address: Address | undefined) => address?.[0] === group.name
          return (
            <TreeGroup
              key={group.name}
              group={group}
              at={listed.indexOf(group) + 1}
              of={listed.length}
              isLarge={isInParts}
              isOpen={!closed.includes(group.name) || isOfIt(selection.address)}
              selection={isOfIt(selection.address) ? selection : undefined}
              ticked={ticked && (ticked.get(group.name) ?? NONE_TICKED)}
              found={found?.rows.get(group.name)}
              errors={byGroupName.get(group.name) ?? NONE}
              dragged={isOfIt(dragged) ? dragged : undefined}
              target={isOfIt(target?.address) ? target : undefined}
              treeActions={treeActions}
            />
          )
        }}
      </GroupParts>
      {!found && !ticked && <AddButton parent={[]} onAdd={treeActions.select} />}
    </section>
  )
})

const NONE_TICKED: ReadonlySet<string> = new Set()

/** Ticked rows by group, and the function that toggles a row or a range of the listed ones. */
function useTicks(
  { groups, selection, select }: EditorContextValue,
  isListed: (address: Address) => boolean,
) {
  const { ticked: addresses } = selection
  const last = useRef<string>(undefined)
  const ticked = useMemo(() => {
    const groups = new Map<string, Set<string>>()
    for (const address of addresses ?? []) {
      const [name] = address
      groups.set(name, (groups.get(name) ?? new Set()).add(address.join('.')))
    }
    return addresses && groups
  }, [addresses])
  const tick = (address: Address, isRange: boolean) => {
    const key = address.join('.')
    const keys = new Set((addresses ?? []).map((one) => one.join('.')))
    const isOn = !keys.has(key)
    const listed = () => addressesIn(groups).flatMap((one) => (isListed(one) ? one.join('.') : []))
    for (const one of isRange ? between(listed(), last.current, key) : [key])
      if (isOn) keys.add(one)
      else keys.delete(one)
    last.current = key
    select({ address: [], ticked: [...keys].map((one) => one.split('.')), focus: false })
  }
  return { ticked, tick }
}

/** The keys from one to another, both included. */
function between(keys: string[], from: string | undefined, to: string): string[] {
  const [a, b] = [keys.indexOf(from ?? to), keys.indexOf(to)]
  return a < 0 ? [to] : keys.slice(Math.min(a, b), Math.max(a, b) + 1)
}

function byGroup(errors: EditorError[]): Map<string, EditorError[]> {
  const groups = new Map<string, EditorError[]>()
  for (const one of errors) {
    const [name] = one.address
    groups.set(name, [...(groups.get(name) ?? []), one])
  }
  return groups
}

/**
 * Moves items in the tree by one step and duplicates them, and announces their new place. The focus stays on the
 * control that moved an item, and goes to the row of a copy.
 */
function useRowKeys(root: RefObject<HTMLElement | null>, editorContext: EditorContextValue) {
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
    focusSelector.current = rowControl(placed.address, focusedControl())
    announce(`${label} moved to ${describePlace(placed)}`)
  }
  const copy = (address: Address) => {
    const [first] = duplicateItems(editorContext, [address])
    if (!first) return
    select({ address: first, focus: false })
    focusSelector.current = rowControl(first, 'choose')
  }
  const actOnKey = (event: KeyboardEvent) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-address]')
    if (!row) return
    const address = row.dataset.address!.split('.')
    const by = STEPS[event.key]
    const isCopy = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'd'
    if (!isCopy && !(by && event.altKey)) return
    event.preventDefault()
    if (isCopy) copy(address)
    else move(address, by)
  }
  return { move, actOnKey }
}

/** The `data-does` of the focused control; by default 'choose', the row's name. */
function focusedControl(): string {
  return document.activeElement?.getAttribute('data-does') ?? 'choose'
}

/** Scrolls the pane, never the page, so that the whole row of the selected item is visible. */
function useRowInView(root: RefObject<HTMLElement | null>, address: Address): void {
  const key = address.join('.')
  useEffect(() => {
    const row = root.current?.querySelector(`[data-address="${key}"] > .constructor-row`)
    if (!root.current || !row) return
    const [pane, inside] = [root.current, row].map((one) => one.getBoundingClientRect())
    if (inside.top < pane.top) root.current.scrollTop += inside.top - pane.top
    else if (inside.bottom > pane.bottom) root.current.scrollTop += inside.bottom - pane.bottom
  }, [root, key])
}

/** Selector of a control of the row at an address. */
function rowControl(address: Address, control: string): string {
  return `[data-address="${address.join('.')}"] > div [data-does="${control}"]`
}
