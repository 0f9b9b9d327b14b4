import {
  type FocusEvent,
  memo,
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import type { Field, Group } from '../../contract/generated.ts'
import { LONGEST_LABEL } from '../../contract/meta/formLimits.ts'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import { type Address, itemAt } from '../state/address.ts'
import { setAttrs, setLabel } from '../state/edit.ts'
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
  const { edit, errors } = useEditorContext()
  return (
    <>
      <TextSetting
        label="Label"
        hint="The heading above its fields"
        long="wraps"
        maxLength={LONGEST_LABEL}
        value={group.label}
        messages={messagesAt(errors, address, 'label')}
        onChange={(label) =>
          edit((groups) => setLabel(groups, address, label), { what: 'Label', at: address, typing: true })
        }
      />
      <SelectSetting
        label="How its questions are drawn"
        hint="A table needs questions that are each one of the same choices"
        value={group.attrs?.layout}
        none="One below the other"
        choices={[{ value: 'matrix' as const, label: 'As a table, a row for each question' }]}
        messages={messagesAt(errors, address, 'attrs.layout')}
        onChange={(layout) =>
          edit((groups) => setAttrs(groups, address, { layout }), { what: 'Layout', at: address })
        }
      />
      <EnabledSetting item={group} address={address} />
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
