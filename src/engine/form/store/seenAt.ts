import type { Contract } from '../../../contract/contract.ts'
import { followersOf, withoutFields } from '../../../contract/followers.ts'
import type { Section } from '../../../contract/generated.ts'
import type { Metas } from '../../../contract/meta/metaTypes.ts'
import { outsideFields } from '../../../contract/meta/outsideFields.ts'
import type { Seen, SeenValues } from '../../../contract/seen.ts'
import { seenPathsOf } from '../../../contract/seenPaths.ts'
import { type ConditionContext, getIn, isPlainObject, type Values } from '../../../contract/when.ts'
import { join } from './paths.ts'
import type { FormSection } from './sections.ts'

/**
 * The values of other records that the metas of a form refer to, by the place of their answers in the document: those
 * stored with the record, or for a new one those of the client's last record. Undefined if no meta refers to any.
 */
export function seenAtPlaces(
  contract: Contract,
  sections: Section[],
  { with: named, record }: ConditionContext,
  at = '',
): Record<string, Seen> | undefined {
  const found = sections.flatMap(({ from = '', at: own = '' }) => {
    const [root, name, meta] = from.split('.')
    const metas = root === 'with' && isMetaName(meta) ? getIn(named, [name]) : undefined
    if (!isMetaName(meta) || !isPlainObject(metas)) return []
    const forms = metas as unknown as Metas
    if (seenPathsOf(forms[meta] ?? []).length === 0) return []
    const fields = outsideFields(meta, forms, contract)
    const values = (record?.answers_seen ?? getIn(named, ['last', meta]) ?? {}) as SeenValues
    return [[join(at, own), { values, fields }] as const]
  })
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

function isMetaName(name: string): name is keyof Metas {
  return name === 'case_meta' || name === 'issue_meta'
}

/** Paths of the values of other records that the person may not see. */
export function withheldPaths({ answers_seen }: Values): string[] {
  return Object.entries((answers_seen ?? {}) as SeenValues).flatMap(([path, { isWithheld }]) =>
    isWithheld ? path : [],
  )
}

/** A section of a meta without the fields that follow from values that the person may not see. */
export function withoutFollowers(section: FormSection, paths: string[]): FormSection {
  if (!section.isMeta) return section
  return { ...section, groups: withoutFields(section.groups, followersOf(section.groups, paths)) }
}
