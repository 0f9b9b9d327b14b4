import { callOf } from './call.ts'
import { editableFields } from './entity.ts'
import type { Endpoint, Entity, Field } from './generated.ts'
import type { Values } from './when.ts'

/** True if a call changes an existing record; POST creates one. */
export function isChange(endpoint: Endpoint): boolean {
  return callOf(endpoint).method !== 'POST'
}

/**
 * The fields that a person fills in for a call: the editable ones of its entity that neither the path, the existing
 * record nor fixed values determine.
 */
export function requestedFields(entity: Entity, endpoint: Endpoint, fixedValues: Values = {}): Field[] {
  const isKnown = ({ name }: Field) =>
    name in fixedValues || name === endpoint.by || (isChange(endpoint) && entity.properties[name].writeOnce)
  return editableFields(entity).filter((field) => !isKnown(field))
}
