import type { Contract } from '../../contract/contract.ts'
import type { WizardScreen } from '../../contract/generated.ts'
import { type ConditionContext, isSet, type Values, valueAt } from '../../contract/when.ts'
import { getAt } from '../form/paths.ts'
import { stepSections } from './steps.ts'

/** The metas that a wizard asks, by the name the screen reads them under: which one, and its fields by path. */
export interface MetaSnapshot {
  id: unknown
  version: unknown
  /** The version by which the person was asked first. */
  since?: unknown
  fields: Record<string, string>
}

/** What the metas ask at this moment; nothing of those that are not read. */
export function metaSnapshots(
  contract: Contract,
  { steps }: WizardScreen,
  conditionContext: ConditionContext,
): Record<string, MetaSnapshot> {
  const snapshots: Record<string, MetaSnapshot> = {}
  for (const step of steps) {
    const sections = stepSections(contract, step, conditionContext)
    for (const [i, { from }] of (step.groups ?? []).entries()) {
      const name = from?.match(/^with\.(\w+)\./)?.[1]
      const meta =
        name && (valueAt(`with.${name}`, conditionContext) as { id: unknown; version: unknown } | undefined)
      if (!name || !meta) continue
      snapshots[name] ??= { id: meta.id, version: meta.version, fields: {} }
      for (const group of sections[i].groups.filter((g) => g.attrs?.is_on !== false)) {
        for (const field of group.fields.filter((f) => f.attrs?.is_on !== false)) {
          snapshots[name].fields[`${sections[i].at}.${field.name}`] = field.label
        }
      }
    }
  }
  return snapshots
}

/** The metas of now, each with the version by which the person was asked first. */
export function withSince(
  known: Record<string, MetaSnapshot>,
  now: Record<string, MetaSnapshot>,
): Record<string, MetaSnapshot> {
  const both = Object.entries(now).map(([name, snapshots]) => {
    const before = known[name]
    const since = before && before.id === snapshots.id ? (before.since ?? before.version) : snapshots.version
    return [name, { ...snapshots, since }]
  })
  return { ...known, ...Object.fromEntries(both) }
}

/** What a new version of a meta means for an unfinished document: answers it no longer asks for, and new questions. */
export interface MetaChange {
  removed: string[]
  added: string[]
}

/**
 * Labels of answered fields that were removed and of fields that were added since the draft was saved; undefined if
 * none.
 */
export function metaChangeOf(
  known: Record<string, MetaSnapshot>,
  now: Record<string, MetaSnapshot>,
  document: Values,
): MetaChange | undefined {
  const change: MetaChange = { removed: [], added: [] }
  for (const [name, { id, version, fields }] of Object.entries(now)) {
    const before = known[name]
    if (!before || before.id !== id || before.version === version) continue
    const removedFields = Object.entries(before.fields).filter(([path]) => !(path in fields))
    change.removed.push(
      ...removedFields.filter(([path]) => isSet(getAt(document, path))).map(([, label]) => label),
    )
    change.added.push(
      ...Object.entries(fields).flatMap(([path, label]) => (path in before.fields ? [] : label)),
    )
  }
  return change.removed.length + change.added.length > 0 ? change : undefined
}
