import type { Entity } from '../../contract/generated.ts'
import { STATUS } from '../../contract/status.ts'
import type { Call } from '../call.ts'
import { setStatus } from './setStatus.ts'

/** Makes the record active again; doing it twice changes nothing more. */
export function unretire(call: Call, entity: Entity) {
  return setStatus(call, entity, STATUS.active)
}
