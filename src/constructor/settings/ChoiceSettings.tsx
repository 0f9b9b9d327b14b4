import type { ReactElement } from 'react'
import type { Field } from '../../contract/generated.ts'
import { idsOutside } from '../../engine/cells/labels.ts'
import { listNamed } from '../../engine/itemLabels/listNamed.ts'
import { useLookupItems } from '../../engine/runtime/lookups.ts'
import { LARGE, useLookupSearch } from '../../engine/widgets/useLookupSearch.ts'
import type { Address } from '../address.ts'
import { reachOf } from '../conditions/reach.ts'
import { type SetAttrs, useEditorContext } from '../editorContext.ts'
import { messagesAt } from '../editorErrors.ts'
import { whyTypeFixedAt } from '../fieldUsage.ts'
import { ChosenSettings } from './ChosenSettings.tsx'
import { Messages } from './Messages.tsx'
import { Options } from './Options.tsx'
import { RadioSetting, SelectSetting } from './SelectSetting.tsx'

// What every case and issue form can reach besides its own answers.
const ELSEWHERE = [
  { value: '$case.service', label: 'Service of the case' },
  { value: '$client.area', label: 'Area of the client' },
]

// What is typed while searching, not a setting.
const NOT_OFFERED = ['term']

/** Where the choices of a field come from: written with the field, or a list that all forms share. */
export function ChoiceSettings(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const editorContext = useEditorContext()
  const isList = field.attrs?.lookup !== undefined
  const isFixed = whyTypeFixedAt(editorContext, address) !== undefined
  const change = (source: string) =>
    set(
      source === 'list'
        ? { options: undefined, lookup: '', default: undefined }
        : { options: [], lookup: undefined, lookup_params: undefined, default: undefined },
      { what: 'Choices' },
    )
  return (
    <>
      {!isFixed && (
        <RadioSetting
          label="Where its choices come from"
          value={isList ? 'list' : 'own'}
          choices={[
            { value: 'own', label: 'They are written here' },
            { value: 'list', label: 'A list that all forms share' },
          ]}
          onChange={change}
        />
      )}
      {isList ? <ListSettings {...props} isFixed={isFixed} /> : <Options {...props} />}
      <Messages messages={messagesAt(editorContext.errors, address, 'attrs.options')} />
      {!isList && <ChosenSettings key={address.join('.')} {...props} />}
    </>
  )
}

interface Props {
  field: Field
  address: Address
  set: SetAttrs
  /** The list may not change any more. */
  isFixed: boolean
}

/** Which shared list gives the choices, and what narrows it. */
function ListSettings({ field, address, set, isFixed }: Props): ReactElement {
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

interface LookupParamSettingProps {
  /** The parameter of the list. */
  name: string
  address: Address
  value: string | number | boolean | undefined
  messages: string[]
  onChange: (value: string | number | boolean | undefined) => void
}

/** Narrows a list by one of its parameters: to the answer of a field, to what the case says, or to a fixed item. */
function LookupParamSetting({
  name,
  address,
  value,
  messages,
  onChange,
}: LookupParamSettingProps): ReactElement {
  const { groups, lookups } = useEditorContext()
  const list = listNamed(lookups, name)
  const found = useLookupSearch(list, {})
  const items = found.items ?? []
  const outside = found.items && typeof value === 'number' ? idsOutside(items, [value]) : []
  const others = useLookupItems(list, outside) ?? []
  const fields = [...reachOf(groups, address).values()].filter(
    (f) => f.type === 'select' && f.attrs?.lookup && f.name !== address.at(-1),
  )
  return (
    <SelectSetting<string | number | boolean>
      label={`Narrowed by ${(list ? lookups[list].title : name.replaceAll('_', ' ')).toLowerCase()}`}
      value={value}
      none="Not narrowed"
      choices={[
        ...fields.map((f) => ({ value: `$${f.name}`, label: `What is answered in ${f.label}` })),
        ...ELSEWHERE,
        ...[...items, ...others].map((item) => ({ value: item.value, label: `Always ${item.label}` })),
      ]}
      search={found.isMore || items.length > LARGE ? found : undefined}
      messages={messages}
      onChange={onChange}
    />
  )
}
