import type { ReactElement } from 'react'
import { idsOutside } from '../../engine/cells/labels.ts'
import { useLookupItems } from '../../engine/runtime/lookups.ts'
import { LARGE, useLookupSearch } from '../../engine/widgets/useLookupSearch.ts'
import type { Address } from '../address.ts'
import { reachOf } from '../conditions/reach.ts'
import { useEditorContext } from '../editorContext.ts'
import { listNamed } from '../listNamed.ts'
import { SelectSetting } from './SelectSetting.tsx'

interface Props {
  /** The parameter of the list. */
  name: string
  address: Address
  value: string | number | boolean | undefined
  messages: string[]
  onChange: (value: string | number | boolean | undefined) => void
}

// What every case and issue form can reach besides its own answers.
const ELSEWHERE = [
  { value: '$case.service', label: 'Service of the case' },
  { value: '$client.area', label: 'Area of the client' },
]

/** Narrows a list by one of its parameters: to the answer of a field, to what the case says, or to a fixed item. */
export function LookupParamSetting({ name, address, value, messages, onChange }: Props): ReactElement {
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
