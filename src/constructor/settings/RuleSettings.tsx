import { Checkbox } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { suitsRule } from '../../contract/fieldTypes.ts'
import type { Field, Pattern } from '../../contract/generated.ts'
import { Messages } from '../controls/Messages.tsx'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import { type Address, listAt } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'

const PATTERN = 'pattern'
/** Formats that a text can be required to have, one at a time. */
const FORMS: Record<string, string> = {
  email: 'An email address',
  url: 'A web address',
  nhs_number: 'An NHS number',
  national_insurance: 'A National Insurance number',
  uk_vehicle: 'A UK vehicle registration',
  letters: 'Letters only',
  digits: 'Digits only',
  [PATTERN]: 'Like an example of your own',
}
const AFTER = 'after:'

/** Settings of the named rules that validate answers of this type. */
export function RuleSettings(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const { groups, errors } = useEditorContext()
  const rules = field.attrs?.rules ?? []
  const after = rules.find((rule) => rule.startsWith(AFTER))?.slice(AFTER.length)
  const save = (next: string[]) => set({ rules: next.length > 0 ? next : undefined }, { what: 'Rules' })
  const setForm = (form: string | undefined) => {
    const next = rules.filter((one) => !Object.hasOwn(FORMS, one))
    if (form && form !== PATTERN) next.push(form)
    const pattern = form === PATTERN ? { matches: '', example: '' } : undefined
    set({ rules: next.length > 0 ? next : undefined, pattern }, { what: 'Rules' })
  }
  const others = (rule: string) => rules.filter((one) => one.split(':')[0] !== rule)
  const siblings = (
    address.length > 2 ? listAt(groups, address.slice(0, -1)) : groups.flatMap((g) => g.fields)
  ) as Field[]
  const dates = siblings.filter((f) => suitsRule(f, 'after') && f.name !== field.name)
  return (
    <div className="constructor-setting">
      {suitsRule(field, 'not_future') && (
        <Checkbox
          label="Must not be in the future"
          checked={rules.includes('not_future')}
          onChange={(event) =>
            save(event.currentTarget.checked ? [...rules, 'not_future'] : others('not_future'))
          }
        />
      )}
      {suitsRule(field, 'date_of_birth') && (
        <Checkbox
          label="Is a date of birth, at most 125 years ago"
          checked={rules.includes('date_of_birth')}
          onChange={(event) =>
            save(event.currentTarget.checked ? [...rules, 'date_of_birth'] : others('date_of_birth'))
          }
        />
      )}
      {suitsRule(field, 'email') && (
        <SelectSetting
          label="Must be"
          value={field.attrs?.pattern ? PATTERN : rules.find((rule) => Object.hasOwn(FORMS, rule))}
          none="Any text"
          choices={Object.entries(FORMS).map(([value, label]) => ({ value, label }))}
          onChange={setForm}
        />
      )}
      {field.attrs?.pattern && <PatternSettings {...props} pattern={field.attrs.pattern} />}
      {suitsRule(field, 'after') && (
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

interface PatternProps {
  pattern: Pattern
  address: Address
  set: SetAttrs
}

/** Settings of a pattern. The expression follows the example until it is edited itself. */
function PatternSettings({ pattern, address, set }: PatternProps): ReactElement {
  const { errors } = useEditorContext()
  const { matches, example } = pattern
  const save = (next: Partial<Pattern>) =>
    set({ pattern: { ...pattern, ...next } }, { what: 'Pattern', typing: true })
  const setExample = (text: string) =>
    save({ example: text, ...(matches === expressionOf(example) && { matches: expressionOf(text) }) })
  return (
    <>
      <TextSetting
        label="Example"
        hint="Such as AB-1234; shown where an answer is written otherwise"
        maxLength={100}
        value={example}
        messages={messagesAt(errors, address, 'attrs.pattern.example')}
        onChange={setExample}
      />
      <TextSetting
        label="Pattern"
        hint="A regular expression that the whole answer matches; made of the example until you change it"
        maxLength={200}
        value={matches}
        messages={messagesAt(errors, address, 'attrs.pattern.matches')}
        onChange={(text) => save({ matches: text })}
      />
    </>
  )
}

const CLASSES: [of: RegExp, expression: string][] = [
  [/[0-9]/, '[0-9]'],
  [/[A-Z]/, '[A-Z]'],
  [/[a-z]/, '[a-z]'],
  [/\p{L}/u, '\\p{L}'],
]

/**
 * Builds a regular expression for texts with the same kinds of letters and digits in the same places as the example.
 */
export function expressionOf(example: string): string {
  const parts: { expression: string; count: number }[] = []
  for (const character of example) {
    const expression =
      CLASSES.find(([of]) => of.test(character))?.[1] ?? character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&')
    const last = parts.at(-1)
    if (last?.expression === expression) last.count += 1
    else parts.push({ expression, count: 1 })
  }
  return parts.map(({ expression, count }) => (count > 1 ? `${expression}{${count}}` : expression)).join('')
}
