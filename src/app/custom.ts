import { type ComponentType, lazy } from 'react'
import type { CustomScreen } from '../contract/types.ts'
import { withStyle } from '../engine/loadStyle.ts'
import { Login } from './signIn/Login.tsx'
import { Thanks } from './signIn/Thanks.tsx'

/** What draws the screens of the kind custom. */
export const custom: Record<CustomScreen['component'], ComponentType> = {
  login: Login,
  loginReset: lazy(() => import('./signIn/LoginReset.tsx')),
  resetPassword: lazy(() => import('./signIn/ResetPassword.tsx')),
  thanks: Thanks,
  constructor: lazy(() => withStyle('constructor', import('../constructor/Constructor.tsx'))),
}
