import RjsfForm from '@rjsf/core'
import { memo, useMemo } from 'react'
import type { Values } from '../../contract/when.ts'
import { fields, templates, widgets } from '../theme/theme.ts'
import type { DrawnGroup } from './draw.ts'
import { join } from './paths.ts'
import type { FormStore } from './store.ts'
import { validator } from './validator.ts'

/** What rjsf hands to every widget of a group. */
export interface GroupContext {
  store: FormStore
  /** The path of a control from the root of the document, by its id. */
  pathOf: (id: string) => string
  /** The person gave a value, at a path of the group. */
  change: (value: unknown, path: (string | number)[]) => void
}

// Answers come from people: rjsf fills in nothing.
const NO_DEFAULTS = {
  emptyObjectFields: 'skipDefaults',
  arrayMinItems: { populate: 'never' },
  allOf: 'skipDefaults',
  constAsDefaults: 'never',
} as const

/** One group of a form with its heading. Its values live in the store; rjsf follows. */
export const GroupForm = memo(function GroupForm(props: {
  store: FormStore
  group: DrawnGroup
  idPrefix: string
}) {
  const { store, group, idPrefix } = props
  const { at, key, label } = group
  const context = useMemo<GroupContext>(
    () => ({
      store,
      pathOf: (id) => id.slice(idPrefix.length + 1),
      change: (value, path) => store.set(join(at, ...path), value),
    }),
    [store, at, idPrefix],
  )
  const leave = useMemo(() => (id: string) => store.leave(context.pathOf(id)), [store, context])
  const heading = `${idPrefix}-${key}`
  return (
    <section className="form-section" aria-labelledby={label ? heading : undefined}>
      {label && <h2 id={heading}>{label}</h2>}
      <RjsfForm<Values>
        tagName="div"
        className="form-fields"
        idPrefix={join(idPrefix, at)}
        idSeparator="."
        schema={group.schema}
        uiSchema={group.uiSchema}
        formData={group.values}
        extraErrors={group.errors}
        formContext={context}
        validator={validator}
        fields={fields}
        templates={templates}
        widgets={widgets}
        experimental_defaultFormStateBehavior={NO_DEFAULTS}
        showErrorList={false}
        onBlur={leave}
      />
    </section>
  )
})
