import type { Entity } from '../../contract/types.ts'
import type { Call } from '../call.ts'
import { setStatus } from '../setStatus.ts'

/** Sets the record's status to 1; doing it twice changes nothing more. */
export function unretire(call: Call, entity: Entity) {
  return setStatus(call, entity, 1)
}
