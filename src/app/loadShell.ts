import { withStyle } from '../engine/runtime/loadStyle.ts'

/** What stands behind sign-in, scripts and style sheet together: nothing is drawn before it can look right. */
export const loadShell = () => withStyle('inside', import('./Shell.tsx'))
