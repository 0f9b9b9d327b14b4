import { Button, HTMLSelect } from '@blueprintjs/core'
import { useState } from 'react'
import { makeCall } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { formOf, type WidgetStore } from '../store/formContext.ts'
import { join, parentOf } from '../store/paths.ts'
import { TextInput } from './TextInput.tsx'
import type { FieldWidgetProps } from './widgetProps.ts'

/** A postcode; with a field `address` beside it, the address can be chosen from a list. */
export function Postcode(props: FieldWidgetProps) {
  const { endpoints } = useContract()
  const { store, pathOf } = formOf(props.registry)
  const address = join(parentOf(pathOf(props.id)), 'address')
  const isOffered = endpoints['addresses.byPostcode'] && store.isInSameGroup(pathOf(props.id), address)
  return (
    <>
      <TextInput props={props} input={{ autoCapitalize: 'characters' }} />
      {isOffered && (
        <FindAddress
          store={store}
          postcode={pathOf(props.id)}
          onChoose={(label) => store.set(address, label)}
        />
      )}
    </>
  )
}

interface Address {
  value: string | number
  label: string
}

type Search = { state: 'idle' | 'busy' } | { state: 'found'; items: Address[] }

interface FindProps {
  store: WidgetStore
  /** Path of the postcode from the root of the document. */
  postcode: string
  /** Stores the chosen address, which is one line. */
  onChoose: (label: string) => void
  /** Where the address is typed, relative to the button. */
  typed?: 'above' | 'below'
}

export function FindAddress({ store, postcode, onChoose, typed = 'below' }: FindProps) {
  const contract = useContract()
  const [search, setSearch] = useState<Search>({ state: 'idle' })
  const find = async () => {
    store.flush()
    const query = { postcode: store.valueAt(postcode) ?? '' }
    setSearch({ state: 'busy' })
    // A failure of the address service is ignored: the address can be typed.
    const items = await makeCall<Address[]>(contract, 'addresses.byPostcode', { query }).catch(() => [])
    setSearch({ state: 'found', items })
  }
  const choose = async (item: Address | undefined) => {
    if (!item) return
    const query = { id: item.value }
    const [full = item] = contract.endpoints['addresses.byId']
      ? await makeCall<Address[]>(contract, 'addresses.byId', { query }).catch(() => [])
      : []
    onChoose(full.label)
    setSearch({ state: 'idle' })
  }
  return (
    <div className="find-address">
      <Button text="Find address" loading={search.state === 'busy'} onClick={find} />
      <div aria-live="polite">
        {search.state === 'found' && search.items.length === 0 && `No address found: type it ${typed}`}
      </div>
      {search.state === 'found' && search.items.length > 0 && (
        <HTMLSelect
          aria-label={foundWords(search.items.length)}
          iconProps={{ title: undefined }}
          value=""
          onChange={(event) => choose(search.items[event.currentTarget.selectedIndex - 1])}
        >
          <option value="">{foundWords(search.items.length)}</option>
          {search.items.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </HTMLSelect>
      )}
    </div>
  )
}

function foundWords(count: number): string {
  return `${count} ${count === 1 ? 'address' : 'addresses'} found: choose one`
}
