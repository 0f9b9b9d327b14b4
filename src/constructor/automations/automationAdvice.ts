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
      off
        .filter(([meta, { name }]) => usesField(one, meta, name))
        .map(
          ([, { name, label }]) =>
            `The automation ${quoted(one.label, one.name)} looks at ${quoted(label, name)}, which is switched off, so it counts as unanswered`,
        ),
    )
}

/** The switched-off fields of both forms. */
export function switchedOffFields(forms: Metas): [MetaName, Field][] {
  return (['case_meta', 'issue_meta'] as const).flatMap((meta) =>
    forms[meta].flatMap(offIn).map((field): [MetaName, Field] => [meta, field]),
  )
}

function offIn(group: Group): Field[] {
  return group.fields.filter((field) => group.attrs?.is_on === false || field.attrs?.is_on === false)
}
