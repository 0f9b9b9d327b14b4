import type { Handler } from '../../core/call.ts'
import { ownReasons, viewersOf } from './viewers.ts'

/** The people who can see a client, with their reasons. */
export const ofClient: Handler = (call) => viewersOf(call, 'client')

export const ofCase: Handler = (call) => viewersOf(call, 'case')

export const ofIssue: Handler = (call) => viewersOf(call, 'issue')

/** Why the caller can see a client. */
export const whyClient: Handler = (call) => ownReasons(call, 'client')

export const whyCase: Handler = (call) => ownReasons(call, 'case')

export const whyIssue: Handler = (call) => ownReasons(call, 'issue')
