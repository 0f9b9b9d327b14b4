import type { Contract } from '../../contract/contract.ts'
import type { WizardScreen } from '../../contract/types.ts'
import { isSet, type Scope, type Values, valueAt } from '../../contract/when.ts'
import { getAt } from '../form/paths.ts'
import { stepSections } from './steps.ts'

/** The metas that a wizard asks, by the name the screen reads them under: which one, and its fields by path. */
export interface MetaFacts {
  id: unknown
  version: unknown
  /** The version by which the person was asked first. */
  since?: unknown
  fields: Record<string, string>
}

/** What the metas ask at this moment; nothing of those that are not read. */
export function metaFacts(
  contract: Contract,
  { steps }: WizardScreen,
  scope: Scope,
): Record<string, MetaFacts> {
  const facts: Record<string, MetaFacts> = {}
  for (const step of steps) {
    const sections = stepSections(contract, step, scope)
    for (const [i, { from }] of (step.groups ?? []).entries()) {
      const name = from?.match(/^with\.(\w+)\./)?.[1]
      const meta = name && (valueAt(`with.${name}`, scope) as { id: unknown; version: unknown } | undefined)
      if (!name || !meta) continue
      facts[name] ??= { id: meta.id, version: meta.version, fields: {} }
      for (const group of sections[i].groups.filter((g) => g.attrs?.is_on !== false)) {
        for (const field of group.fields.filter((f) => f.attrs?.is_on !== false)) {
          facts[name].fields[`${sections[i].at}.${field.name}`] = field.label
        }
      }
    }
  }
  return facts
}

/** The metas of now, each with the version by which the person was asked first. */
export function withSince(
  known: Record<string, MetaFacts>,
  now: Record<string, MetaFacts>,
): Record<string, MetaFacts> {
  const both = Object.entries(now).map(([name, facts]) => {
    const before = known[name]
    const since = before && before.id === facts.id ? (before.since ?? before.version) : facts.version
    return [name, { ...facts, since }]
  })
  return { ...known, ...Object.fromEntries(both) }
}

/** What a new version of a meta means for an unfinished document: answers it no longer asks for, and new questions. */
export interface MetaNews {
  gone: string[]
  added: string[]
}

/** The labels of what went, where it was answered, and of what came since the metas were known; undefined for nothing. */
export function newsOf(
  known: Record<string, MetaFacts>,
  now: Record<string, MetaFacts>,
  document: Values,
): MetaNews | undefined {
  const news: MetaNews = { gone: [], added: [] }
  for (const [name, { id, version, fields }] of Object.entries(now)) {
    const before = known[name]
    if (!before || before.id !== id || before.version === version) continue
    const lost = Object.entries(before.fields).filter(([path]) => !(path in fields))
    news.gone.push(...lost.filter(([path]) => isSet(getAt(document, path))).map(([, label]) => label))
    news.added.push(
      ...Object.entries(fields).flatMap(([path, label]) => (path in before.fields ? [] : label)),
    )
  }
  return news.gone.length + news.added.length > 0 ? news : undefined
}
