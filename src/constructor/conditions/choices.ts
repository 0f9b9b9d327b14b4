import type { Field } from '../../contract/generated.ts'
import type { Literal } from '../../contract/when.ts'
import type { LookupParams } from '../../engine/runtime/lookups.ts'
import { LARGE, type LookupSearch, useLookupSearch } from '../../engine/widgets/useLookupSearch.ts'

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

interface FieldChoices {
  /** Undefined where the field takes any value. */
  choices: Choice[] | undefined
  /** Of choices that are searched, not read through. */
  search?: LookupSearch
}

/** The values a field can have: of a yes/no question, its options or the items of its lookup. */
export function useChoices(field: Field | undefined): FieldChoices {
  const { type, attrs = {} } = field ?? {}
  const isChoice = type === 'select' || type === 'multiselect'
  const lookup = isChoice && !attrs.options ? attrs.lookup || undefined : undefined
  const search = useLookupSearch(lookup, literals(attrs.lookup_params))
  if (type === 'yesno') return { choices: YESNO }
  if (!isChoice) return { choices: undefined }
  if (attrs.options) return { choices: attrs.options }
  const choices = search.items?.filter((item) => item.active !== false) ?? []
  return { choices, search: search.isMore || choices.length > LARGE ? search : undefined }
}

/** Parameters of a lookup without those that depend on the record. */
function literals(params: LookupParams = {}): LookupParams {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => !String(value).startsWith('$')))
}
