import { filledTextOf, textOfOutcome } from '../../contract/automations/outcomes.ts'
import { usesField } from '../../contract/automations/usesField.ts'
import { placeholdersIn } from '../../contract/filledTexts.ts'
import type { Automation, Field, Group } from '../../contract/generated.ts'
import type { MetaName, Metas } from '../../contract/meta/metaTypes.ts'
import { quoted } from '../../contract/quoted.ts'
import type { Draft } from '../state/caseType.ts'

/** Warnings about automations that may be published but are likely wrong: they look at what nobody is asked. */
export function automationAdvice({ automations, ...draft }: Draft): string[] {
  const off = switchedOffFields(draft)
  return automations
    .filter(({ is_on }) => is_on !== false)
    .flatMap((one) => [
      ...offWarnings(
        `The automation ${quoted(one.label, one.name)}`,
        off.filter(([meta, { name }]) => usesField(one, meta, name)),
      ),
      ...unfilledTexts(one),
    ])
}

function unfilledTexts({ label, name, then }: Automation): string[] {
  return then
    .filter((one) => filledTextOf(one) === undefined)
    .flatMap((one) =>
      unfilledWarnings(
        `${'step' in one ? 'A step' : 'A notice'} of the automation ${quoted(label, name)}`,
        textOfOutcome(one),
        'people read it who may not see the record',
      ),
    )
}

/** Warns of a placeholder in a text that no answer stands in. */
export function unfilledWarnings(what: string, text: string, why: string): string[] {
  const [name] = placeholdersIn(text)
  return name === undefined ? [] : [`${what} has ‘{${name}}’, which stays as it is written: ${why}`]
}

/** Warns that something looks at fields that are switched off. */
export function offWarnings(what: string, fields: [MetaName, Field][]): string[] {
  return fields.map(
    ([, { name, label }]) =>
      `${what} looks at ${quoted(label, name)}, which is switched off, so it counts as unanswered`,
  )
}

export function switchedOffFields(forms: Metas): [MetaName, Field][] {
  return (['case_meta', 'issue_meta'] as const).flatMap((meta) =>
    forms[meta].flatMap(offIn).map((field): [MetaName, Field] => [meta, field]),
  )
}

function offIn(group: Group): Field[] {
  return group.fields.filter((field) => group.attrs?.is_on === false || field.attrs?.is_on === false)
}
