import { allows } from './access.ts'
import type { Property, Roles } from './generated.ts'

export type Occasion = 'create' | 'update'
/** The values that a person may set a property to: any, only themselves, or none. */
type SetRight = 'any' | 'self' | 'none'

/** Names of the fields that decide whether a record is in a person's scope, or what that scope is. */
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

/** The right of a person with these roles to set a property when a record is created or updated. */
export function setRight(roles: Roles, property: Property, occasion: Occasion, groups: number[]): SetRight {
  const { readOnly, writeOnce, setBy = {} } = property
  if (readOnly || (writeOnce && occasion === 'update')) return 'none'
  const access = setBy[occasion]
  if (access === undefined || allows(roles, access, groups)) return 'any'
  const isSelf = occasion === 'create' && setBy.createSelf && allows(roles, setBy.createSelf, groups)
  return isSelf ? 'self' : 'none'
}

/** The missing key in the rule of a property of SCOPE_FIELDS, which must name who sets it on creation and on update. */
export function missingSetRule({ readOnly, writeOnce, setBy = {}, ref }: Property): string | undefined {
  if (readOnly) return undefined
  if (!setBy.create && !ref) return 'setBy.create'
  if (!writeOnce && !setBy.update) return 'setBy.update'
  return undefined
}
