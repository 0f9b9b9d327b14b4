import { join, parentOf } from '../form/paths.ts'
import { useContract } from '../runtime/contract.ts'
import type { TextFormat } from './debouncedText.ts'
import { PLAIN_TEXT } from './debouncedText.ts'
import { FindAddress } from './FindAddress.tsx'
import { TextInput } from './TextInput.tsx'
import type { FieldWidgetProps } from './widgetProps.ts'

const POSTCODE: TextFormat = { ...PLAIN_TEXT, parse: parsePostcode }

/** A postcode; with a field `address` beside it, the address can be chosen from a list. */
export function Postcode(props: FieldWidgetProps) {
  const { endpoints } = useContract()
  const { store, pathOf } = props.registry.formContext
  const address = join(parentOf(pathOf(props.id)), 'address')
  const isOffered = endpoints['addresses.byPostcode'] && store.isInSameGroup(pathOf(props.id), address)
  return (
    <>
      <TextInput props={props} format={POSTCODE} input={{ autoCapitalize: 'characters' }} />
      {isOffered && <FindAddress store={store} postcode={pathOf(props.id)} address={address} />}
    </>
  )
}

/** 'al86aa' as 'AL8 6AA'; what is no postcode stays as it was typed. */
function parsePostcode(text: string): unknown {
  const tidy = text.replaceAll(/\s/g, '').toUpperCase()
  if (tidy === '') return undefined
  return /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/.test(tidy)
    ? `${tidy.slice(0, -3)} ${tidy.slice(-3)}`
    : text.trim()
}
