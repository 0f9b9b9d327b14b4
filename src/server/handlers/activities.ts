import type { Handler } from '../call.ts'
import { lastCreatedBy } from '../verbs/lastCreatedBy.ts'

/** What the caller wrote last, for the next one to begin with; empty where there is none. */
export const last: Handler = (call) => lastCreatedBy(call, call.contract.entities.activity)
