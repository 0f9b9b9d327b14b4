import type { ReactElement } from 'react'
import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import type { Address } from '../address.ts'
import { type SetAttrs, useEditorContext } from '../editorContext.ts'
import { messagesAt } from '../editorErrors.ts'
import { TextSetting } from './TextSetting.tsx'

const TITLES = { min: 'At least', max: 'At most', max_length: 'Most characters' }
const OF_ROWS = { min: 'Fewest rows', max: 'Most rows' }

/** The limits that the field's type knows; an empty one is none. */
export function LimitSettings(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const { errors } = useEditorContext()
  const known = FIELD_TYPES[field.type].attrs ?? []
  const keys = (['min', 'max', 'max_length'] as const).filter((key) => known.includes(key))
  const titles = field.type === 'repeat' ? { ...TITLES, ...OF_ROWS } : TITLES
  return (
    <div className="constructor-limits">
      {keys.map((key) => (
        <TextSetting
          key={key}
          label={titles[key]}
          type="number"
          value={String(field.attrs?.[key] ?? '')}
          messages={messagesAt(errors, address, `attrs.${key}`)}
          onChange={(text) => {
            const limit = text === '' ? undefined : Number(text)
            set({ [key]: limit }, { what: titles[key], typing: true })
          }}
        />
      ))}
    </div>
  )
}
