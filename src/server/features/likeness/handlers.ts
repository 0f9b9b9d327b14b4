import type { Handler } from '../../core/call.ts'
import { alikeRows } from './alikeRows.ts'
import { personIn } from './person.ts'

/** The clients who may be the person of the body. */
export const alike: Handler = (call) => alikeRows(call, personIn(call.query))
