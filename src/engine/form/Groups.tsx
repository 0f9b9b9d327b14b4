import type { FieldProps, RJSFSchema } from '@rjsf/utils'
import { memo, useSyncExternalStore } from 'react'
import { Fields } from './Fields.tsx'
import type { FormContext, FormRegistry } from './formContext.ts'
import type { RenderedGroup } from './renderedGroups.ts'
import { useNextFocus } from './useNextFocus.ts'

/** The groups of a form as the store has them now; rjsf takes it for the form's one field. */
export function Groups({ registry }: FieldProps<unknown, RJSFSchema, FormContext>) {
  const { store } = registry.formContext
  const groups = useSyncExternalStore(store.subscribe, store.groups)
  useNextFocus(registry.formContext, groups)
  return groups.map((group) => <Group key={group.key} group={group} registry={registry} />)
}

/** One group with its heading. */
const Group = memo(function Group({ group, registry }: { group: RenderedGroup; registry: FormRegistry }) {
  const { key, at, label, fields, required, values, errors } = group
  const heading = `${registry.formContext.idPrefix}-${key}`
  return (
    <section className="form-section" aria-labelledby={label ? heading : undefined}>
      {label && <h2 id={heading}>{label}</h2>}
      <Fields {...{ at, fields, required, values, errors, registry }} />
    </section>
  )
})
