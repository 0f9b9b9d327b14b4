import type { Field } from '../../contract/types.ts'
import type { Literal } from '../../contract/when.ts'
import { type LookupParams, useLookup } from '../../engine/lookups.ts'

/** A value that a field can have, with its words. */
export interface Choice {
  value: Literal
  label: string
}

const YESNO: Choice[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
  { value: 'not_known', label: 'Not known' },
]

/** The values a field can have: of a yes/no question, its options or the items of its lookup; undefined where any. */
export function useChoices(field: Field | undefined): Choice[] | undefined {
  const { type, attrs = {} } = field ?? {}
  const isChoice = type === 'select' || type === 'multiselect'
  const lookup = isChoice && !attrs.options ? attrs.lookup || undefined : undefined
  const items = useLookup(lookup, literals(attrs.lookup_params))
  if (type === 'yesno') return YESNO
  if (!isChoice) return undefined
  return attrs.options ?? items?.filter((item) => item.active !== false) ?? []
}

/** Parameters of a lookup without those that depend on the record. */
function literals(params: LookupParams = {}): LookupParams {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => !String(value).startsWith('$')))
}
