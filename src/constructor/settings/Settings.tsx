import { Button, Checkbox } from '@blueprintjs/core'
import {
  type FocusEvent,
  memo,
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import type { Field, Group, GroupAttrs } from '../../contract/generated.ts'
import { MAX_LABEL_LENGTH } from '../../contract/meta/formLimits.ts'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import { sharedCondition, withSharedCondition } from '../forms/sharedCondition.ts'
import { type Address, itemAt } from '../state/address.ts'
import { change, setAttrs, setLabel } from '../state/edit.ts'
import { useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { AddField, AddGroup } from './AddForm.tsx'
import { FieldSettings } from './FieldSettings.tsx'
import { ItemActions } from './ItemActions.tsx'
import { TickedSettings } from './TickedSettings.tsx'
import { EnabledSetting, VisibleSetting } from './VisibleSetting.tsx'

/** Settings of the selected item, or the form that adds an item below it. */
export const Settings = memo(function Settings(): ReactElement {
  const { groups, selection, meta } = useEditorContext()
  const { address, adding, ticked } = selection
  const item = itemAt(groups, address)
  const heading = useRef<HTMLHeadingElement>(null)
  const formBox = useRef<HTMLDivElement>(null)
  const focusHandlers = useFocusFallback(heading)
  useEffect(() => {
    if (!selection.focus) return
    const first = selection.adding && formBox.current?.querySelector<HTMLElement>('textarea, input')
    if (first) first.focus()
    else heading.current?.focus()
  }, [selection])
  return (
    <section
      className="constructor-pane constructor-settings"
      aria-labelledby="constructor-settings"
      {...focusHandlers}
    >
      <h2 id="constructor-settings" tabIndex={-1} ref={heading}>
        {ticked ? `${ticked.length} chosen` : titleOf(address.length, adding, item?.label)}
      </h2>
      {/* The key resets the forms for each address, so that half-typed text does not carry over. */}
      <div ref={formBox} key={`${meta} ${address.join('.')} ${adding}`}>
        {adding && (address.length === 0 ? <AddGroup /> : <AddField parent={address} />)}
        {ticked && <TickedSettings addresses={ticked} />}
        {!adding && !item && !ticked && (
          <p className="constructor-hint">Choose a group or a field in the structure to change it.</p>
        )}
        {!adding && item && address.length === 1 && <GroupSettings group={item as Group} address={address} />}
        {!adding && item && address.length > 1 && <FieldSettings field={item as Field} address={address} />}
      </div>
    </section>
  )
})

const NEW = ['New group', 'New field in', 'New column of']

function titleOf(depth: number, adding: boolean | undefined, label: string | undefined): string {
  if (adding) return [NEW[Math.min(depth, 2)], label].filter(Boolean).join(' ')
  return label?.trim() || 'Settings'
}

/** Settings of a group: its label and layout, whether it is in use and when it is visible. */
function GroupSettings({ group, address }: { group: Group; address: Address }): ReactElement {
  const { groups, edit, errors, announce } = useEditorContext()
  const set = (attrs: GroupAttrs, what: string) =>
    edit((before) => setAttrs(before, address, attrs), { what, at: address })
  const { under, folded } = group.attrs ?? {}
  return (
    <>
      <TextSetting
        label="Label"
        hint="The heading above its fields"
        long="wraps"
        maxLength={MAX_LABEL_LENGTH}
        value={group.label}
        messages={messagesAt(errors, address, 'label')}
        onChange={(label) =>
          edit((groups) => setLabel(groups, address, label), { what: 'Label', at: address, typing: true })
        }
      />
      <SelectSetting
        label="How its questions are shown"
        hint="A table needs questions that are each one of the same choices"
        value={group.attrs?.layout}
        none="One below the other"
        choices={[{ value: 'matrix' as const, label: 'As a table, a row for each question' }]}
        messages={messagesAt(errors, address, 'attrs.layout')}
        onChange={(layout) =>
          edit((groups) => setAttrs(groups, address, { layout }), { what: 'Layout', at: address })
        }
      />
      <SelectSetting
        label="Stands under"
        hint="A smaller heading below that of the group before it, shown only with that group"
        value={under}
        none="Nothing: it stands alone"
        choices={parentsFor(groups, group).map(({ name, label }) => ({ value: name, label }))}
        messages={messagesAt(errors, address, 'attrs.under')}
        onChange={(name) => set({ under: name }, 'Stands under')}
      />
      <Checkbox
        label="Begins folded: only its heading is shown until somebody opens it"
        checked={folded === true}
        onChange={(event) => set({ folded: event.currentTarget.checked || undefined }, 'Begins folded')}
      />
      <EnabledSetting item={group} address={address} />
      {sharedCondition(group) && (
        <div className="constructor-setting constructor-offer">
          <p>All its fields have the same condition. It can be said once, of the group.</p>
          <Button
            text="Say it once, of the group"
            onClick={() => {
              edit((before) => change(before, address, (one: Group) => withSharedCondition(one)), {
                what: 'Condition of the group',
                at: address,
              })
              announce('The condition is that of the group now')
            }}
          />
        </div>
      )}
      <VisibleSetting
        address={address}
        when={group.attrs?.when}
        onChange={(when, info) =>
          edit((groups) => setAttrs(groups, address, { when }), { ...info, at: address })
        }
      />
      <ItemActions address={address} />
    </>
  )
}

/** The group that a group can stand under: the nearest one before it that stands alone. */
function parentsFor(groups: Group[], group: Group): Group[] {
  const before = groups.slice(
    0,
    groups.findIndex(({ name }) => name === group.name),
  )
  const isParent = groups.some(({ attrs }) => attrs?.under === group.name)
  return isParent ? [] : before.filter(({ attrs }) => attrs?.under === undefined).slice(-1)
}

/** Handlers for a container: when its focused control is removed, the focus moves to `to` instead of the body. */
function useFocusFallback(to: RefObject<HTMLElement | null>) {
  const focused = useRef<Element>(undefined)
  useLayoutEffect(() => {
    if (!focused.current || focused.current.isConnected) return
    focused.current = undefined
    to.current?.focus()
  })
  return {
    onFocus: (event: FocusEvent) => {
      focused.current = event.target
    },
    onBlur: () => {
      focused.current = undefined
    },
  }
}
