import { usesField } from '../../contract/automations/usesField.ts'
import type { Field, Group } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { quoted } from '../../contract/quoted.ts'
import type { Draft } from '../state/caseType.ts'

/** Warnings about automations that may be published but are likely wrong: they look at what nobody is asked. */
export function automationAdvice({ automations, ...draft }: Draft): string[] {
  const off = (['case_meta', 'issue_meta'] as const).flatMap((meta) =>
    switchedOff(draft[meta]).map((field): [MetaName, Field] => [meta, field]),
  )
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

function switchedOff(groups: Group[]): Field[] {
  return groups.flatMap((group) =>
    group.fields.filter((field) => group.attrs?.is_on === false || field.attrs?.is_on === false),
  )
}
