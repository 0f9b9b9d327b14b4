import type { FieldProps, RJSFSchema } from '@rjsf/utils'
import { memo, useLayoutEffect, useSyncExternalStore } from 'react'
import { isRendered, takesSeveralChoices } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { foldId, MAX_UNFOLDED_GROUPS, NO_FOLDS } from '../store/folds.ts'
import type { FormContext, FormRegistry } from '../store/formContext.ts'
import type { FormStore } from '../store/formStore.ts'
import { join } from '../store/paths.ts'
import type { RenderedGroup } from '../store/renderedGroups.ts'
import { useUnaskedShown } from '../store/unasked.ts'
import { Fields } from './Fields.tsx'
import { WhyButton } from './WhyButton.tsx'

interface GroupProps {
  group: RenderedGroup
  registry: FormRegistry
  /** The groups under its heading. */
  below: RenderedGroup[]
  /** True if the form has so many groups that they can be folded. */
  isLong: boolean
}

/** A group with its heading, which may fold it, and the groups under it; a group with errors is unfolded. */
const Group = memo(function Group({ group, registry, below, isLong }: GroupProps) {
  const { key, label, folded = false } = group
  const { idPrefix, folds = NO_FOLDS } = registry.formContext
  const isFoldable = label !== '' && (isLong || (folded && folds !== NO_FOLDS))
  const isFolded = useSyncExternalStore(folds.subscribe, () => isFoldable && folds.isFolded(key, folded))
  const isWrong = [group, ...below].some(({ errors }) => Object.keys(errors).length > 0)
  useLayoutEffect(() => {
    if (isWrong) folds.set(key, false, folded)
  }, [folds, key, folded, isWrong])
  const Heading = group.under ? 'h3' : 'h2'
  const heading = `${idPrefix}-${key}`
  const button = foldId(idPrefix, key)
  return (
    <section
      className={group.under ? 'form-section form-section-below' : 'form-section'}
      aria-labelledby={label ? heading : undefined}
    >
      {label && (
        <Heading id={heading}>
          {isFoldable ? (
            <button
              type="button"
              id={button}
              className="fold"
              aria-expanded={!isFolded}
              aria-controls={`${button}-content`}
              onClick={() => folds.set(key, !isFolded, folded)}
            >
              {label}
            </button>
          ) : (
            label
          )}
        </Heading>
      )}
      {/* Rendered even if folded: its controls may have text that is not in the document yet. */}
      <div id={`${button}-content`} className="fold-content" hidden={isFolded}>
        <GroupFields group={group} registry={registry} />
        {below.map((one) => (
          <Group key={one.key} group={one} registry={registry} below={NONE_BELOW} isLong={isLong} />
        ))}
      </div>
    </section>
  )
}, isSameGroup)

const NONE_BELOW: RenderedGroup[] = []

function isSameGroup(before: GroupProps, after: GroupProps): boolean {
  return (
    before.group === after.group &&
    before.registry === after.registry &&
    before.isLong === after.isLong &&
    before.below.length === after.below.length &&
    before.below.every((group, i) => group === after.below[i])
  )
}

/** The fields of a group and, on request, a Why? button for its hidden fields. */
function GroupFields({ group, registry }: { group: RenderedGroup; registry: FormRegistry }) {
  const { key, label, hiddenFields = [], allOrNone, ...content } = group
  const { store } = registry.formContext
  const isShown = useUnaskedShown()
  const count = hiddenFields.length === 1 ? '1 question is' : `${hiddenFields.length} questions are`
  return (
    <>
      {allOrNone && <AllOrNone group={group} store={store} />}
      <Fields {...content} registry={registry} frame={registry.formContext.frame} />
      {isShown && hiddenFields.length > 0 && (
        <div className="why-unasked">
          {count} not asked.{' '}
          <WhyButton
            store={store}
            paths={hiddenFields.map((name) => join(group.at, name))}
            about={`${label}: questions not asked`}
          />
        </div>
      )}
    </>
  )
}

/** Two buttons that choose everything or nothing in the fields of a group that take several choices. */
function AllOrNone({ group: { at, label, fields }, store }: { group: RenderedGroup; store: FormStore }) {
  const choose = (chosen: (field: Field) => unknown) => {
    for (const field of fields.filter(takesSeveralChoices)) store.set(join(at, field.name), chosen(field))
  }
  const about = <span className="visually-hidden"> {label}</span>
  return (
    <p className="all-or-none">
      <button
        type="button"
        className="link-button"
        onClick={() => choose(({ attrs }) => attrs?.options?.map(({ value }) => value))}
      >
        All{about}
      </button>{' '}
      <button type="button" className="link-button" onClick={() => choose(() => undefined)}>
        None{about}
      </button>
    </p>
  )
}

/** The groups in the store; to rjsf, this is the only field of the form. */
export function Groups({ registry }: FieldProps<unknown, RJSFSchema, FormContext>) {
  const { store, only, folds } = registry.formContext
  const groups = useSyncExternalStore(store.subscribe, store.groups)
  if (only !== undefined) {
    const group = groups.find(({ key }) => key === only)
    return group && <GroupFields group={group} registry={registry} />
  }
  const withFields = groups.filter(({ fields }) => fields.some(isRendered))
  const isLong = folds !== undefined && withFields.length > MAX_UNFOLDED_GROUPS
  const keys = new Set(groups.map(({ key }) => key))
  const belowOf = (key: string) => withFields.filter(({ under }) => under === key)
  const isTop = ({ under }: RenderedGroup) => under === undefined || !keys.has(under)
  return groups.filter(isTop).flatMap((group) => {
    const below = belowOf(group.key)
    if (below.length === 0 && !group.fields.some(isRendered)) return []
    return <Group key={group.key} {...{ group, registry, below, isLong }} />
  })
}
