import type { Entity } from '../../contract/types.ts'
import type { Call } from '../call.ts'
import { setStatus } from '../setStatus.ts'

/** Sets the record's status to 2; doing it twice changes nothing more. */
export function retire(call: Call, entity: Entity) {
  return setStatus(call, entity, 2)
}
