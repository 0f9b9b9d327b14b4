import { withStyle } from '../engine/runtime/loadStyle.ts'

/** What stands behind sign-in, scripts and style sheet together: nothing is drawn before it can look right. */
export async function loadShell(): Promise<typeof import('./Shell.tsx')> {
  return withStyle('inside', import('./Shell.tsx'))
}
