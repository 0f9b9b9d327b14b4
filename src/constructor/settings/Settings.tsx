import { type ReactElement, useEffect, useRef } from 'react'
import type { Field, Group } from '../../contract/generated.ts'
import { itemAt } from '../address.ts'
import { useEditorContext } from '../editorContext.ts'
import { AddField } from './AddField.tsx'
import { AddGroup } from './AddGroup.tsx'
import { FieldSettings } from './FieldSettings.tsx'
import { GroupSettings } from './GroupSettings.tsx'
import { useFocusFallback } from './useFocusFallback.ts'

/** The settings of what is chosen in the structure, or the form that adds something there. */
export function Settings(): ReactElement {
  const { groups, selection, meta } = useEditorContext()
  const { address, adding } = selection
  const item = itemAt(groups, address)
  const heading = useRef<HTMLHeadingElement>(null)
  const formBox = useRef<HTMLDivElement>(null)
  const focusHandlers = useFocusFallback(heading)
  useEffect(() => {
    if (!selection.focus) return
    const first = selection.adding && formBox.current?.querySelector('input')
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
        {titleOf(address.length, adding, item?.label)}
      </h2>
      {/* Another place is another form: nothing half typed may go over. */}
      <div ref={formBox} key={`${meta} ${address.join('.')} ${adding}`}>
        {adding && (address.length === 0 ? <AddGroup /> : <AddField parent={address} />)}
        {!adding && !item && (
          <p className="constructor-hint">Choose a group or a field in the structure to change it.</p>
        )}
        {!adding && item && address.length === 1 && <GroupSettings group={item as Group} address={address} />}
        {!adding && item && address.length > 1 && <FieldSettings field={item as Field} address={address} />}
      </div>
    </section>
  )
}

const NEW = ['New group', 'New field in', 'New column of']

function titleOf(depth: number, adding: boolean | undefined, label: string | undefined): string {
  if (adding) return [NEW[depth], label].filter(Boolean).join(' ')
  return label?.trim() || 'Settings'
}
