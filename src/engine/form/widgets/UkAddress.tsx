import { addressOf } from '../../../contract/addressOf.ts'
import { useContract } from '../../core/contract.ts'
import { formOf } from '../store/formContext.ts'
import { join } from '../store/paths.ts'
import { Contact } from './Contact.tsx'
import { FindAddress } from './Postcode.tsx'
import type { FieldWidgetProps } from './widgetProps.ts'

/** A UK address: its lines, and where addresses can be looked up, a list of those of its postcode. */
export function UkAddress(props: FieldWidgetProps) {
  const { endpoints } = useContract()
  const { store, pathOf } = formOf(props.registry)
  const path = pathOf(props.id)
  const postcode = join(path, 'postcode')
  return (
    <>
      <Contact {...props} />
      {endpoints['addresses.byPostcode'] && (
        <FindAddress
          store={store}
          postcode={postcode}
          typed="above"
          onChoose={(label) => store.set(path, addressOf(label, String(store.valueAt(postcode) ?? '')))}
        />
      )}
    </>
  )
}
