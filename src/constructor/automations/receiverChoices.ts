import { GROUP_PREFIX, RECEIVERS } from '../../contract/automations/outcomes.ts'
import { capitalised } from '../../contract/quoted.ts'
import { useLookup } from '../../engine/core/lookups.ts'

/** The groups of people, and all receivers that a notice can have: people around the record, then the groups. */
export function useReceivers() {
  const groups = useLookup('staff_groups') ?? []
  const choices = [
    ...Object.entries(RECEIVERS).map(([value, label]) => ({ value, label: capitalised(label) })),
    ...groups
      .filter(({ code }) => typeof code === 'string' && code !== '')
      .map(({ code, label }) => ({ value: `${GROUP_PREFIX}${code}`, label: `Group: ${label}` })),
  ]
  return { groups, choices }
}
