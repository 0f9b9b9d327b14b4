import { Checkbox } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Field } from '../../contract/generated.ts'
import { RULE_TYPES } from '../../contract/meta/checkLimits.ts'
import { type Address, listAt } from '../address.ts'
import { type SetAttrs, useEditorContext } from '../editorContext.ts'
import { messagesAt } from '../editorErrors.ts'
import { Messages } from './Messages.tsx'
import { SelectSetting } from './SelectSetting.tsx'

const TITLES: Record<string, string> = {
  not_future: 'Must not be in the future',
  nhs_number: 'Must be an NHS number',
  email: 'Must be an email address',
}
const AFTER = 'after:'

/** The named rules that an answer of this type can be judged by. */
export function RuleSettings(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const { groups, errors } = useEditorContext()
  const rules = field.attrs?.rules ?? []
  const after = rules.find((rule) => rule.startsWith(AFTER))?.slice(AFTER.length)
  const save = (next: string[]) => set({ rules: next.length > 0 ? next : undefined }, { what: 'Rules' })
  const others = (rule: string) => rules.filter((one) => one.split(':')[0] !== rule)
  const beside = (
    address.length > 2 ? listAt(groups, address.slice(0, 2)) : groups.flatMap((g) => g.fields)
  ) as Field[]
  const dates = beside.filter((f) => RULE_TYPES.after.includes(f.type) && f.name !== field.name)
  return (
    <div className="constructor-setting">
      {Object.entries(TITLES)
        .filter(([rule]) => RULE_TYPES[rule].includes(field.type))
        .map(([rule, title]) => (
          <Checkbox
            key={rule}
            label={title}
            checked={rules.includes(rule)}
            onChange={(event) => save(event.currentTarget.checked ? [...rules, rule] : others(rule))}
          />
        ))}
      {RULE_TYPES.after.includes(field.type) && (
        <SelectSetting
          label="Must not be before"
          value={after}
          none="No other date"
          choices={dates.map(({ name, label }) => ({ value: name, label }))}
          onChange={(name) => save([...others('after'), ...(name ? [AFTER + name] : [])])}
        />
      )}
      <Messages messages={messagesAt(errors, address, 'attrs.rules')} />
    </div>
  )
}
