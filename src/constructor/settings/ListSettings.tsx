import type { ReactElement } from 'react'
import type { Field } from '../../contract/generated.ts'
import { type LookupParams, PARENTS_OF } from '../../contract/lookupCall.ts'
import type { ListItem } from '../../contract/meta/metaTypes.ts'
import { choosesFrom, listOf } from '../../contract/meta/parentList.ts'
import { idsOutside } from '../../engine/cells/labels.ts'
import { listNamed } from '../../engine/itemLabels/listNamed.ts'
import { useLookupItems } from '../../engine/runtime/lookups.ts'
import { LARGE, useLookupSearch } from '../../engine/widgets/useLookupSearch.ts'
import type { Address } from '../address.ts'
import { reachOf } from '../conditions/reach.ts'
import { type SetAttrs, useEditorContext } from '../editorContext.ts'
import { messagesAt } from '../editorErrors.ts'
import { SelectSetting } from './SelectSetting.tsx'

// What every case and issue form can reach besides its own answers.
const ELSEWHERE = [
  { value: '$case.service', label: 'Service of the case' },
  { value: '$client.area', label: 'Area of the client' },
]

// What is typed while searching, and what the form of an item asks, are no settings.
const NOT_OFFERED = ['term', PARENTS_OF]

const NOT_NARROWED: LookupParams = {}

interface Props {
  field: Field
  address: Address
  set: SetAttrs
  /** The list may not change any more. */
  isFixed: boolean
}

/** Which shared list gives the choices, and what narrows it. */
export function ListSettings({ field, address, set, isFixed }: Props): ReactElement {
  const { lookups, known, errors } = useEditorContext()
  const { lookup, lookup_params = {} } = field.attrs ?? {}
  const described = lookup && Object.hasOwn(lookups, lookup) ? lookups[lookup] : undefined
  const chosen = listOf(field, known)
  // Without a parent list nothing can be chosen before.
  const isOffered = (key: string) =>
    !NOT_OFFERED.includes(key) && !(key === lookup && chosen && !chosen.parent)
  const lists = Object.entries(lookups).map(([value, { title }]) => ({ value, label: title }))
  const narrow = (key: string, value: string | number | boolean | undefined) => {
    const { [key]: _, ...others } = lookup_params
    const next = value === undefined ? others : { ...others, [key]: value }
    set({ lookup_params: Object.keys(next).length > 0 ? next : undefined }, { what: 'Narrowed' })
  }
  const keys = new Set([...(described?.by ?? []).filter(isOffered), ...Object.keys(lookup_params)])
  return (
    <>
      {isFixed ? (
        <p className="constructor-fixed">
          <strong>List</strong> {described?.title ?? lookup}
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
          parent={key === lookup ? chosen?.parent : undefined}
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
  /** The list whose items it takes, where that is one of many. */
  parent: ListItem | undefined
  address: Address
  value: string | number | boolean | undefined
  messages: string[]
  onChange: (value: string | number | boolean | undefined) => void
}

/** Narrows a list by one of its parameters: to the answer of a field, to what the case says, or to a fixed item. */
function LookupParamSetting({
  name,
  parent,
  address,
  value,
  messages,
  onChange,
}: LookupParamSettingProps): ReactElement {
  const { groups, lookups, known } = useEditorContext()
  const list = listNamed(lookups, name)
  const needs = parent && lookups[name].needs
  const params: LookupParams = needs ? { [needs]: parent.value } : NOT_NARROWED
  const found = useLookupSearch(list, params)
  const items = found.items ?? []
  const outside = found.items && typeof value === 'number' ? idsOutside(items, [value]) : []
  const others = useLookupItems(list, outside) ?? []
  const fields = [...reachOf(groups, address).values()].filter(
    (f) =>
      f.type === 'select' &&
      f.attrs?.lookup &&
      f.name !== address.at(-1) &&
      (!parent || choosesFrom(f, name, parent, known)),
  )
  return (
    <SelectSetting<string | number | boolean>
      label={`Narrowed by ${(list ? lookups[list].title : name.replaceAll('_', ' ')).toLowerCase()}`}
      value={value}
      none="Not narrowed"
      choices={[
        ...fields.map((f) => ({ value: `$${f.name}`, label: `What is answered in ${f.label}` })),
        ...(parent ? [] : ELSEWHERE),
        ...[...items, ...others].map((item) => ({ value: item.value, label: `Always ${item.label}` })),
      ]}
      search={found.isMore || items.length > LARGE ? found : undefined}
      messages={messages}
      onChange={onChange}
    />
  )
}
