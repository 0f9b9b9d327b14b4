import type { Handler } from '../../core/call.ts'
import { lastCreatedBy } from '../../records/verbs/lastCreatedBy.ts'

/** The caller's last activity, from which a new one takes its defaults; empty if there is none. */
export const last: Handler = (call) => lastCreatedBy(call, call.contract.entities.activity)
