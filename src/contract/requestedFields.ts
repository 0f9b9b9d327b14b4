import { callOf } from './call.ts'
import { editableFields } from './entity.ts'
import type { Endpoint, Entity, Field } from './generated.ts'
import type { Values } from './when.ts'

/** Whether a call changes a record that is there; by POST it adds one. */
export function isChange(endpoint: Endpoint): boolean {
  return callOf(endpoint).method !== 'POST'
}

/** What a call takes of an entity: what may be written and is not given already, by its path, the record or fixed values. */
export function requestedFields(entity: Entity, endpoint: Endpoint, fixedValues: Values = {}): Field[] {
  const isKnown = ({ name }: Field) =>
    name in fixedValues || name === endpoint.by || (isChange(endpoint) && entity.properties[name].writeOnce)
  return editableFields(entity).filter((field) => !isKnown(field))
}
