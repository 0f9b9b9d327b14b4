import { allows } from './access.ts'
import type { Property, Roles } from './generated.ts'

export type Occasion = 'create' | 'update'
/** What a person may set a property to: any value, only themselves, or nothing. */
export type SetRight = 'any' | 'self' | 'none'

/** Names of the fields by which a record is in somebody's scope, or by which somebody's scope is measured. */
export const SCOPE_FIELDS = [
  'advocate',
  'assignee',
  'case',
  'client',
  'commissioning_contract',
  'contract',
  'contracts',
  'created_by',
  'entity',
  'from_client',
  'from_hub',
  'groups',
  'hub',
  'is_shared',
  'issue',
  'line_manager',
  'record',
  'service',
  'services',
  'shared',
  'staff',
  'to_hub',
  'upload',
]

/** What a person of these roles may set a property to, when a record is created or updated. */
export function setRight(roles: Roles, property: Property, occasion: Occasion, groups: number[]): SetRight {
  const { readOnly, writeOnce, setBy = {} } = property
  if (readOnly || (writeOnce && occasion === 'update')) return 'none'
  const access = setBy[occasion]
  if (access === undefined || allows(roles, access, groups)) return 'any'
  const isSelf = occasion === 'create' && setBy.createSelf && allows(roles, setBy.createSelf, groups)
  return isSelf ? 'self' : 'none'
}

/** What a property's rule lacks, for one of SCOPE_FIELDS: it must say who sets it at creation and by an update. */
export function missingSetRule({ readOnly, writeOnce, setBy = {}, ref }: Property): string | undefined {
  if (readOnly) return undefined
  if (!setBy.create && !ref) return 'setBy.create'
  if (!writeOnce && !setBy.update) return 'setBy.update'
  return undefined
}
