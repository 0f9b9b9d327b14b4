import type { ReactElement } from 'react'
import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import type { Address } from '../address.ts'
import type { SetAttrs } from '../editorContext.ts'
import { ChoiceSettings } from './ChoiceSettings.tsx'
import { DefaultSetting } from './DefaultSetting.tsx'
import { LimitSettings } from './LimitSettings.tsx'
import { RuleSettings } from './RuleSettings.tsx'

/** What an answer may be, as far as the field's type leaves that open. */
export function AnswerSettings(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { attrs = [] } = FIELD_TYPES[props.field.type]
  return (
    <>
      {attrs.includes('options') && <ChoiceSettings {...props} />}
      <LimitSettings {...props} />
      {attrs.includes('rules') && <RuleSettings {...props} />}
      {attrs.includes('default') && <DefaultSetting {...props} />}
    </>
  )
}
