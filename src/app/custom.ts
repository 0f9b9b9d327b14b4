import { type ComponentType, lazy } from 'react'
import type { CustomScreen } from '../contract/types.ts'
import { withStyle } from '../engine/loadStyle.ts'
import { Login } from './Login.tsx'
import { Thanks } from './Thanks.tsx'

/** What draws the screens of the kind custom. */
export const custom: Record<CustomScreen['component'], ComponentType> = {
  login: Login,
  loginReset: lazy(() => import('./LoginReset.tsx')),
  resetPassword: lazy(() => import('./ResetPassword.tsx')),
  thanks: Thanks,
  constructor: lazy(() => withStyle('constructor', import('../constructor/Constructor.tsx'))),
}
