import { callOf } from './call.ts'
import { editableFields } from './entity.ts'
import type { Endpoint, Entity, Field } from './generated.ts'

/** Whether a call changes a record that is there; by POST it adds one. */
export function isChange(endpoint: Endpoint): boolean {
  return callOf(endpoint).method !== 'POST'
}

/** What a call takes of an entity: what may be written and is not given already, by its path or by the record. */
export function requestedFields(entity: Entity, endpoint: Endpoint): Field[] {
  const isKnown = ({ name }: Field) =>
    name === endpoint.by || (isChange(endpoint) && entity.properties[name].writeOnce)
  return editableFields(entity).filter((field) => !isKnown(field))
}
