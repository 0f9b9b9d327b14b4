import type { ReactElement } from 'react'
import { compareLabels } from '../../contract/compareKey.ts'
import { takesOneChoice } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import { type LookupParams, PARENTS_OF } from '../../contract/lookupCall.ts'
import type { ListItem } from '../../contract/meta/metaTypes.ts'
import { choosesFrom, listOf } from '../../contract/meta/parentList.ts'
import { idsOutside } from '../../engine/core/labels.ts'
import { listNamed } from '../../engine/core/listNamed.ts'
import { useLookupItems } from '../../engine/core/lookups.ts'
import { LARGE, useLookupSearch } from '../../engine/form/widgets/useLookupSearch.ts'
import { reachOf } from '../conditions/reach.ts'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import type { Address } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'

// Values besides its own answers that every case and issue form can refer to.
const ELSEWHERE = [
  { value: '$case.service', label: 'Service of the case' },
  { value: '$client.area', label: 'Area of the client' },
]

// The search term, and the parameter that the form of a list item sends, are no settings.
const NOT_OFFERED = ['term', PARENTS_OF]

const NOT_NARROWED: LookupParams = {}

interface Props {
  field: Field
  address: Address
  set: SetAttrs
  /** The list may no longer be changed. */
  isFixed: boolean
}

/** The shared list that supplies the choices, and the parameters that filter it. */
export function ListSettings({ field, address, set, isFixed }: Props): ReactElement {
  const { lookups, known, errors } = useEditorContext()
  const { lookup, lookup_params = {} } = field.attrs ?? {}
  const described = lookup && Object.hasOwn(lookups, lookup) ? lookups[lookup] : undefined
  const chosen = listOf(field, known)
  // A list without a parent cannot be filtered by an item of that parent.
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
          choices={lists.sort((a, b) => compareLabels(a.label, b.label))}
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
  /** Name of a parameter of the list. */
  name: string
  /** The parent list, if the items of the parameter come from one of several lists. */
  parent: ListItem | undefined
  address: Address
  value: string | number | boolean | undefined
  messages: string[]
  onChange: (value: string | number | boolean | undefined) => void
}

/**
 * Filters a list by one of its parameters: by the answer of a field, by a value of the case or client, or by a fixed
 * item.
 */
const NOTHING_OUTSIDE = new Map<string, Field>()

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
  const fields = [...reachOf({ groups, outside: NOTHING_OUTSIDE }, address).values()].filter(
    (f) =>
      takesOneChoice(f) &&
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
