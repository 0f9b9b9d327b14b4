import type { Property } from '../../contract/types.ts'
import { useContract } from '../contract.ts'
import { type LookupParams, useLookup } from '../lookups.ts'

/** Labels of a property's value or values, from its fixed choices or its lookup; an unknown one stays as it is. */
export function useLabels(property: Property, value: unknown): string[] {
  const contract = useContract()
  const values = (Array.isArray(value) ? value : [value]).filter((one) => one !== null && one !== undefined)
  const { lookup, options } = property
  const wanted = !options && values.length > 0 ? lookup : undefined
  // Retired choices are still the answer of older records.
  const retired: LookupParams = wanted && contract.lookups[wanted].retirable ? { active: false } : {}
  const items = useLookup(wanted, retired)
  if (wanted && !items) return []
  const choices: { value: unknown; label: string }[] = options ?? items ?? []
  return values.map((one) => choices.find((c) => c.value === one)?.label ?? String(one))
}
