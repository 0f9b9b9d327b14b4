import type { Property } from '../../contract/generated.ts'
import type { LookupParams } from '../../contract/lookupCall.ts'
import { useContract } from './contract.ts'
import { useLookupItems, useLookupList } from './lookups.ts'

/** Labels of a property's value or values, from its options or its lookup; an unknown value is unchanged. */
export function useLabels(property: Property, value: unknown): string[] {
  const contract = useContract()
  const values = (Array.isArray(value) ? value : [value]).filter((one) => one !== null && one !== undefined)
  const { lookup, options } = property
  const lookupName = !options && values.length > 0 ? lookup : undefined
  // Older records may still have retired choices.
  const retired: LookupParams = lookupName && contract.lookups[lookupName].retirable ? { active: false } : {}
  const items = useLookupList(lookupName, retired).data?.items
  const others = useLookupItems(lookupName, items ? idsOutside(items, values) : [])
  if (lookupName && !(items && others)) return []
  const choices: Choice[] = options ?? items ?? []
  const isOne = (one: unknown) => (choice: Choice) => choice.value === one
  return values.map((one) => (choices.find(isOne(one)) ?? others?.find(isOne(one)))?.label ?? String(one))
}

interface Choice {
  value: unknown
  label: string
}

export function idsOutside(items: { value: unknown }[], values: unknown[]): number[] {
  return values.filter(
    (one): one is number => Number.isInteger(one) && !items.some(({ value }) => value === one),
  )
}
