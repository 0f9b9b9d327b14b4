import { useMemo } from 'react'
import type { Known, Metas } from '../../contract/meta/metaTypes.ts'
import { placesOf } from '../../contract/meta/places.ts'
import { useContract } from '../../engine/core/contract.ts'
import { useLookup } from '../../engine/core/lookups.ts'
import type { CaseType, CaseTypeUsage, Draft } from './caseType.ts'
import {
  type EditorError,
  errorsOfAutomations,
  errorsOfChanges,
  errorsOfDeadlines,
  errorsOfForms,
  errorsOfLabel,
} from './editorErrors.ts'

/**
 * The validation errors that prevent publishing a draft, and what its forms may refer to. Each part is validated when it
 * changes, or when what it depends on has loaded: validating the forms of a large case type takes long.
 */
export function useValidation(
  { label, case_meta, issue_meta, automations, deadlines }: Draft,
  base: CaseType,
  usage: CaseTypeUsage,
): { known: Known; errors: EditorError[] } {
  const metas = useMemo(() => ({ case_meta, issue_meta }), [case_meta, issue_meta])
  const known = useKnown(metas)
  const roles = useRoleNames()
  const groups = useLookup(automations.length > 0 ? 'staff_groups' : undefined)
  const types = useLookup(deadlines.length > 0 ? 'action_type' : undefined, { active: false })
  const ofForms = useMemo(() => errorsOfForms(metas, known, base), [metas, known, base])
  const ofChanges = useMemo(() => errorsOfChanges(metas, { meta: base, usage }), [metas, base, usage])
  const ofAutomations = useMemo(() => {
    const codes = groups?.flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
    return errorsOfAutomations(automations, metas, { ...known, roles, deadlines, groups: codes })
  }, [automations, metas, known, roles, deadlines, groups])
  const ofDeadlines = useMemo(() => {
    const actionTypes = types && new Set(types.map(({ value }) => Number(value)))
    return errorsOfDeadlines(deadlines, metas, { ...known, actionTypes })
  }, [deadlines, metas, known, types])
  return {
    known,
    errors: [...errorsOfLabel(label), ...ofForms, ...ofChanges, ...ofAutomations, ...ofDeadlines],
  }
}

/** What validation checks the references of forms against; the items of a nested list only if a field has one. */
function useKnown(metas: Metas): Known {
  const { lookups, entities } = useContract()
  const isNested = useMemo(
    () =>
      Object.values(metas).some((groups) =>
        placesOf(groups).some(({ field }) => lookups[field.attrs?.lookup ?? '']?.parent),
      ),
    [metas, lookups],
  )
  const name = isNested ? Object.values(lookups).find(({ parent }) => parent)?.needs : undefined
  const lists = useLookup(name, { active: false })
  return useMemo(
    () => ({ lookups, entities, ...(name && lists && { lists: { [name]: lists } }) }),
    [lookups, entities, name, lists],
  )
}

function useRoleNames(): string[] {
  const { roles } = useContract()
  return useMemo(() => roles.roles.map((role) => role.name), [roles])
}
