import type { TypeUses } from '../../contract/caseType/fieldUses.ts'
import type { MetaName, Metas } from '../../contract/meta/metaTypes.ts'
import type { CaseTypeUsage } from '../state/caseType.ts'
import { type MovedField, renamedBefore } from '../state/takeAnswers.ts'

/**
 * The published forms with the names that a draft gives their fields, so that a renamed field does not count as
 * removed.
 */
export function withNewNames<T extends Metas>(base: T, draft: Metas): T {
  return {
    ...base,
    case_meta: renamedBefore('case_meta', base.case_meta, draft.case_meta),
    issue_meta: renamedBefore('issue_meta', base.issue_meta, draft.issue_meta),
  }
}

/** Counts of records and uses by the new names; saved views and columns of uploads follow a renamed field. */
export function usageByNewNames(usage: CaseTypeUsage, moves: MovedField[]): CaseTypeUsage {
  if (moves.length === 0) return usage
  const named = <V>(meta: MetaName, counts: Record<string, V>) => {
    const renamed = moves.filter((move) => move.meta === meta && Object.hasOwn(counts, move.from))
    return { ...counts, ...Object.fromEntries(renamed.map(({ name, from }) => [name, counts[from]])) }
  }
  const inBoth = <V>(counts: Record<MetaName, Record<string, V>>) => ({
    case_meta: named('case_meta', counts.case_meta),
    issue_meta: named('issue_meta', counts.issue_meta),
  })
  const { choices, drafts, uses } = usage
  const followed = (one: TypeUses): TypeUses => ({
    ...one,
    views: inBoth(one.views),
    uploads: inBoth(one.uploads),
  })
  return {
    ...usage,
    ...inBoth(usage),
    ...(choices && { choices: inBoth(choices) }),
    ...(drafts && { drafts: inBoth(drafts) }),
    ...(uses && { uses: followed(uses) }),
  }
}
