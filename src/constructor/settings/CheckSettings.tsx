import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Check, Field } from '../../contract/generated.ts'
import { FORM_LIMITS } from '../../contract/meta/formLimits.ts'
import type { When } from '../../contract/when.ts'
import { Condition } from '../conditions/Condition.tsx'
import { opsOf, TEST_OF, withNewTest } from '../conditions/conditionRows.ts'
import { useNextFocus } from '../conditions/useNextFocus.ts'
import { InsertableText } from '../controls/InsertableText.tsx'
import { LimitNote } from '../controls/LimitNote.tsx'
import type { Address } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { insertableAt } from './insertableAt.ts'

/** The checks of a field: each rejects an answer with a message while its condition holds. */
export function CheckSettings(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const form = useEditorContext()
  const { errors, announce } = form
  const { box, focusNext } = useNextFocus<HTMLDivElement>()
  const checks = field.attrs?.checks ?? []
  const save = (next: Check[], typing?: boolean) =>
    set({ checks: next.length > 0 ? next : undefined }, { what: 'Check', typing })
  const add = () => {
    focusNext([`check ${checks.length}`])
    save([...checks, { when: newCondition(field), message: '' }])
  }
  const drop = (at: number) => {
    focusNext([`check ${Math.min(at, checks.length - 2)}`, 'add check'])
    announce(`Check ${at + 1} removed`)
    save(checks.toSpliced(at, 1))
  }
  return (
    <div className="constructor-setting" ref={box}>
      {checks.map((check, i) => (
        <fieldset key={i} className="constructor-check" data-condition={`check ${i}`}>
          <legend>{`Check ${i + 1}`}</legend>
          <Button
            size="small"
            variant="minimal"
            icon="cross"
            aria-label={`Remove check ${i + 1}`}
            onClick={() => drop(i)}
          />
          <Condition
            label="Refused when"
            address={address}
            isCheck
            when={check.when}
            messages={messagesAt(errors, address, `attrs.checks.${i}.when`)}
            onChange={(when) => save(checks.with(i, { ...check, when: when ?? withNewTest() }))}
          />
          <InsertableText
            label="What is said then"
            insertable={insertableAt(form, address)}
            hint="For example: The end cannot be before the start"
            long
            maxLength={200}
            value={check.message}
            messages={messagesAt(errors, address, `attrs.checks.${i}.message`)}
            onChange={(message) => save(checks.with(i, { ...check, message }), true)}
          />
        </fieldset>
      ))}
      <LimitNote what="checks" count={checks.length} />
      {checks.length < FORM_LIMITS.checks && (
        <span data-condition="add check">
          <Button size="small" icon="plus" variant="minimal" text="Add a check" onClick={add} />
        </span>
      )}
    </div>
  )
}

/** Initial condition of a check, on its own field if that is comparable. */
function newCondition(field: Field): When {
  const [op] = opsOf(field)
  return op === 'set' ? withNewTest() : { [field.name]: TEST_OF[op]([]) }
}
