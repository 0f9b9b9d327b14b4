import { useContract } from '../contract.ts'
import { join, parentOf } from '../form/paths.ts'
import type { AskProps } from './ask.ts'
import { FindAddress } from './FindAddress.tsx'
import type { TextForm } from './heldText.ts'
import { PLAIN } from './heldText.ts'
import { TextInput } from './TextInput.tsx'

const POSTCODE: TextForm = { ...PLAIN, read: readPostcode }

/** A postcode; with a field `address` beside it, the address can be chosen from a list. */
export function Postcode(ask: AskProps) {
  const { endpoints } = useContract()
  const { store, pathOf } = ask.registry.formContext
  const address = join(parentOf(pathOf(ask.id)), 'address')
  const isOffered = endpoints['addresses.byPostcode'] && store.isBeside(pathOf(ask.id), address)
  return (
    <>
      <TextInput ask={ask} form={POSTCODE} input={{ autoCapitalize: 'characters' }} />
      {isOffered && <FindAddress store={store} postcode={pathOf(ask.id)} address={address} />}
    </>
  )
}

/** 'al86aa' as 'AL8 6AA'; what is no postcode stays as it was typed. */
function readPostcode(text: string): unknown {
  const tidy = text.replaceAll(/\s/g, '').toUpperCase()
  if (tidy === '') return undefined
  return /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/.test(tidy)
    ? `${tidy.slice(0, -3)} ${tidy.slice(-3)}`
    : text.trim()
}
