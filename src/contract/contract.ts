import type { Bodies, Endpoints, Entity, Lookups, Menus, QueryGroups, Roles, Screen } from './generated.ts'

/** Everything the JSON of schemas/ and screens/ says, by name. */
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
