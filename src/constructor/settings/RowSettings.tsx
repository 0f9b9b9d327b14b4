import { Checkbox } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { FIELD_TYPES, isQuestion, takesSeveralChoices } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import { offeredAt } from '../conditions/reach.ts'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import type { Address } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'

/** Settings of repeating rows: what one is called, how they are sorted, and which answer says how many there are. */
export function RowSettings(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const form = useEditorContext()
  const { errors } = form
  const { row_label, sort_by, sort_down, rows_from } = field.attrs ?? {}
  const columns = (field.fields ?? []).filter(
    (one) =>
      isQuestion(one) && !FIELD_TYPES[one.type].isUnsorted && !takesSeveralChoices(one) && !one.attrs?.lookup,
  )
  const numbers = offeredAt(form, address).filter(
    ({ type }) => FIELD_TYPES[type].isWhole && FIELD_TYPES[type].isPlainNumber,
  )
  const toChoice = ({ name, label }: Field) => ({ value: name, label })
  return (
    <>
      <TextSetting
        label="What a row is called"
        hint="Such as Visit; messages then begin “Visit 2: …”"
        maxLength={60}
        value={row_label ?? ''}
        messages={messagesAt(errors, address, 'attrs.row_label')}
        onChange={(text) => set({ row_label: text || undefined }, { what: 'Name of a row', typing: true })}
      />
      <SelectSetting
        label="How many rows"
        value={rows_from}
        none="People add and remove them"
        choices={numbers.map((one) => ({ value: one.name, label: `As many as ‘${one.label}’ says` }))}
        messages={messagesAt(errors, address, 'attrs.rows_from')}
        onChange={(name) => set({ rows_from: name }, { what: 'How many rows' })}
      />
      <SelectSetting
        label="Sorted by"
        value={sort_by}
        none="As they are entered"
        choices={columns.map(toChoice)}
        messages={[
          ...messagesAt(errors, address, 'attrs.sort_by'),
          ...messagesAt(errors, address, 'attrs.sort_down'),
        ]}
        onChange={(name) =>
          set({ sort_by: name, ...(!name && { sort_down: undefined }) }, { what: 'Sorted by' })
        }
      />
      {sort_by && (
        <Checkbox
          label="The largest or latest first"
          checked={sort_down === true}
          onChange={(event) =>
            set({ sort_down: event.currentTarget.checked || undefined }, { what: 'Sorted by' })
          }
        />
      )}
    </>
  )
}
