import { Checkbox } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { takesOneChoice } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import { Messages } from '../controls/Messages.tsx'
import { RadioSetting } from '../controls/SelectSetting.tsx'
import type { Address } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { whyTypeFixedAt } from '../state/fieldUsage.ts'
import { ChosenSettings } from './ChosenSettings.tsx'
import { ListSettings } from './ListSettings.tsx'
import { Options } from './Options.tsx'

/** Source of a field's choices: its own options, or a list shared by all forms. */
export function ChoiceSettings(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const editorContext = useEditorContext()
  const isList = field.attrs?.lookup !== undefined
  const isFixed = whyTypeFixedAt(editorContext, address) !== undefined
  const change = (source: string) =>
    set(
      source === 'list'
        ? { options: undefined, lookup: '', default: undefined, radios: undefined }
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
      {!isList && takesOneChoice(field) && (
        <Checkbox
          label="Show them as radio buttons, for a few choices"
          checked={field.attrs?.radios === true}
          onChange={(event) =>
            set({ radios: event.currentTarget.checked || undefined }, { what: 'Radio buttons' })
          }
        />
      )}
      {!isList && <ChosenSettings key={address.join('.')} {...props} />}
    </>
  )
}
