import { describe, it } from 'vitest'

/** Whether `npm run test:full` runs, which makes the long sweeps whole. */
export const FULL = process.env.FULL !== undefined

/** A test of `npm run test:full` only; `npm test` keeps one of each kind. */
export const itInFull = it.runIf(FULL)

/** The same for tests that follow one from another. */
export const describeInFull = describe.runIf(FULL)
