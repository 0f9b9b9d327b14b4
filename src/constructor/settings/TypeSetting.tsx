import type { ReactElement } from 'react'
import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { Field, FieldType } from '../../contract/generated.ts'
import type { Address } from '../address.ts'
import { setType } from '../edit.ts'
import { useEditorContext } from '../editorContext.ts'
import { messagesAt } from '../editorErrors.ts'
import { whyTypeFixedAt } from '../fieldUsage.ts'
import { Messages } from './Messages.tsx'
import { SelectSetting } from './SelectSetting.tsx'

/** The type of a field; where it may not change, the type and why. */
export function TypeSetting({ field, address }: { field: Field; address: Address }): ReactElement {
  const editorContext = useEditorContext()
  const why = whyTypeFixedAt(editorContext, address)
  const messages = [
    ...messagesAt(editorContext.errors, address, 'type'),
    ...messagesAt(editorContext.errors, address, 'fields'),
  ]
  if (why) {
    return (
      <div className="constructor-setting">
        <p className="constructor-fixed">
          <strong>Type</strong> {FIELD_TYPES[field.type].title}
        </p>
        <p className="constructor-hint">{why}.</p>
        <Messages messages={messages} />
      </div>
    )
  }
  const types = Object.entries(FIELD_TYPES).filter(([type]) => !(address.length > 2 && type === 'repeat'))
  return (
    <SelectSetting
      label="Type"
      value={field.type}
      choices={types.map(([value, { title, about }]) => ({
        value: value as FieldType,
        label: `${title} – ${about.toLowerCase()}`,
      }))}
      messages={messages}
      onChange={(type) =>
        type && editorContext.edit((groups) => setType(groups, address, type), { what: 'Type', at: address })
      }
    />
  )
}
