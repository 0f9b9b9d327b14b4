import type { ReactElement } from 'react'
import type { Field } from '../../contract/generated.ts'
import type { Address } from '../address.ts'
import { type SetAttrs, useEditorContext } from '../editorContext.ts'
import { messagesAt } from '../editorErrors.ts'
import { LookupParamSetting } from './LookupParamSetting.tsx'
import { SelectSetting } from './SelectSetting.tsx'

interface Props {
  field: Field
  address: Address
  set: SetAttrs
  /** The list may not change any more. */
  isFixed: boolean
}

// What is typed while searching, not a setting.
const NOT_OFFERED = ['term']

/** Which shared list gives the choices, and what narrows it. */
export function ListSettings({ field, address, set, isFixed }: Props): ReactElement {
  const { lookups, errors } = useEditorContext()
  const { lookup, lookup_params = {} } = field.attrs ?? {}
  const known = lookup && Object.hasOwn(lookups, lookup) ? lookups[lookup] : undefined
  const lists = Object.entries(lookups).map(([value, { title }]) => ({ value, label: title }))
  const narrow = (key: string, value: string | number | boolean | undefined) => {
    const { [key]: _, ...others } = lookup_params
    const next = value === undefined ? others : { ...others, [key]: value }
    set({ lookup_params: Object.keys(next).length > 0 ? next : undefined }, { what: 'Narrowed' })
  }
  const keys = new Set([
    ...(known?.by ?? []).filter((key) => !NOT_OFFERED.includes(key)),
    ...Object.keys(lookup_params),
  ])
  return (
    <>
      {isFixed ? (
        <p className="constructor-fixed">
          <strong>List</strong> {known?.title ?? lookup}
        </p>
      ) : (
        <SelectSetting
          label="List"
          value={lookup || undefined}
          none={lookup ? undefined : 'Choose a list…'}
          choices={lists.sort((a, b) => a.label.localeCompare(b.label))}
          messages={messagesAt(errors, address, 'attrs.lookup')}
          onChange={(next) =>
            set({ lookup: next, lookup_params: undefined, default: undefined }, { what: 'List' })
          }
        />
      )}
      {[...keys].map((key) => (
        <LookupParamSetting
          key={key}
          name={key}
          address={address}
          value={lookup_params[key]}
          messages={messagesAt(errors, address, `attrs.lookup_params.${key}`)}
          onChange={(value) => narrow(key, value)}
        />
      ))}
    </>
  )
}
