import type { Bodies, Endpoints, Entity, Lookups, Menus, QueryGroups, Roles, Screen } from './generated.ts'

/** All descriptors of schemas/ and screens/, by name. */
export interface Contract {
  entities: Record<string, Entity>
  endpoints: Omit<Endpoints, '$schema'>
  lookups: Omit<Lookups, '$schema'>
  bodies: Omit<Bodies, '$schema'>
  query: Omit<QueryGroups, '$schema'>
  roles: Roles
  menu: Menus
  screens: Record<string, Screen>
}
