import { withStyle } from '../../engine/core/loadStyle.ts'

/** Loads the code behind sign-in together with its style sheet, so that nothing is rendered unstyled. */
export const loadShell = () => withStyle('inside', import('../Shell.tsx'))
