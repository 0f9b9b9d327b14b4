import { loadStyle } from './loadStyle.ts'

/** What stands behind sign-in, scripts and style sheet together: nothing is drawn before it can look right. */
export async function inside(): Promise<typeof import('./Shell.tsx')> {
  const [shell] = await Promise.all([import('./Shell.tsx'), loadStyle('inside')])
  return shell
}
