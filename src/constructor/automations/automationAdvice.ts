import { usesField } from '../../contract/automations/usesField.ts'
import type { Field, Group } from '../../contract/generated.ts'
import type { MetaName, Metas } from '../../contract/meta/metaTypes.ts'
import { quoted } from '../../contract/quoted.ts'
import type { Draft } from '../state/caseType.ts'

/** Warnings about automations that may be published but are likely wrong: they look at what nobody is asked. */
export function automationAdvice({ automations, ...draft }: Draft): string[] {
  const off = switchedOffFields(draft)
  return automations
    .filter(({ is_on }) => is_on !== false)
    .flatMap((one) =>
      offWarnings(
        `The automation ${quoted(one.label, one.name)}`,
        off.filter(([meta, { name }]) => usesField(one, meta, name)),
      ),
    )
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
