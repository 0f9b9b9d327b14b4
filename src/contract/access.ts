import type { Roles } from './generated.ts'

/** A named group of roles of schemas/roles.json, or a list of role names. */
export type Access = string | string[]

/** Ids of the roles that an access value names; none for 'public' and unknown names. */
export function roleIds(roles: Roles, access: Access): number[] {
  const names = Array.isArray(access) ? access : (roles.groups[access] ?? [])
  return roles.roles.filter((r) => names.includes(r.name)).map((r) => r.id)
}

/** True if a person with these role ids has access; omitted access means every signed-in person with a role. */
export function allows(roles: Roles, access: Access | undefined, groups: number[]): boolean {
  const ids = roleIds(roles, access ?? 'staff')
  return groups.some((id) => ids.includes(id))
}

/**
 * Address that a person with these roles is sent to after sign-in: that of their first role in the order of
 * schemas/roles.json, or their profile without a role.
 */
export function landing(roles: Roles, groups: number[]): string {
  return roles.roles.find((r) => groups.includes(r.id))?.lands ?? '/profile'
}
