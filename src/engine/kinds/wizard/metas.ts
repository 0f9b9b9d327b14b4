import type { Contract } from '../../../contract/contract.ts'
import type { WizardScreen } from '../../../contract/generated.ts'
import { type ConditionContext, isSet, type Values, valueAt } from '../../../contract/when.ts'
import type { FormChanges } from '../../form/store/formChanges.ts'
import { getAt } from '../../form/store/paths.ts'
import { stepSections } from './steps.ts'

/** Snapshot of a meta of a wizard, which is stored in the draft: its version, and its fields by path. */
export interface MetaSnapshot {
  id: unknown
  version: unknown
  /** The version when the person began. */
  since?: unknown
  /** The version whose names and values the answers have; omitted: that of the start. */
  names?: unknown
  fields: Record<string, string>
  /** Paths of the required fields; drafts of earlier releases have none. */
  required?: string[]
}

/** Snapshots of the current metas by their name in the screen's `with`, without those not loaded yet. */
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
      snapshots[name] ??= { id: meta.id, version: meta.version, fields: {}, required: [] }
      for (const group of sections[i].groups.filter((g) => g.attrs?.is_on !== false)) {
        for (const field of group.fields.filter((f) => f.attrs?.is_on !== false)) {
          const path = `${sections[i].at}.${field.name}`
          snapshots[name].fields[path] = field.label
          if (field.attrs?.required) snapshots[name].required?.push(path)
        }
      }
    }
  }
  return snapshots
}

/** The current snapshots, each with the version when the person began and that of the names of the answers. */
export function withSince(
  known: Record<string, MetaSnapshot>,
  now: Record<string, MetaSnapshot>,
): Record<string, MetaSnapshot> {
  const both = Object.entries(now).map(([name, snapshots]) => {
    const before = known[name]
    if (before?.id !== snapshots.id) return [name, { ...snapshots, since: snapshots.version }]
    const { since = before.version, names } = before
    return [name, { ...snapshots, since, ...(names !== undefined && { names }) }]
  })
  return { ...known, ...Object.fromEntries(both) }
}

/**
 * Labels of answered fields that were removed, of added fields, and of fields that became required since the draft was
 * saved; undefined if none.
 */
export function metaChangeOf(
  known: Record<string, MetaSnapshot>,
  now: Record<string, MetaSnapshot>,
  document: Values,
): FormChanges | undefined {
  const change: FormChanges = { gone: [], added: [], required: [], changed: [] }
  for (const [name, { id, version, fields, required = [] }] of Object.entries(now)) {
    const before = known[name]
    if (!before || before.id !== id || before.version === version) continue
    const labels = (of: Record<string, string>, keep: (path: string) => boolean) =>
      Object.entries(of).flatMap(([path, label]) => (keep(path) ? label : []))
    // A draft of an earlier release does not have the required fields: assume that they are unchanged.
    const requiredBefore = before.required ?? required.filter((path) => path in before.fields)
    change.gone.push(...labels(before.fields, (path) => !(path in fields) && isSet(getAt(document, path))))
    change.added.push(...labels(fields, (path) => !(path in before.fields)))
    change.required.push(
      ...labels(fields, (path) => required.includes(path) && !requiredBefore.includes(path)),
    )
  }
  return Object.values(change).some((labels) => labels.length > 0) ? change : undefined
}
