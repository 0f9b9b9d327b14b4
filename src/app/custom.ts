import { type ComponentType, createElement } from 'react'
import type { CustomScreen } from '../contract/generated.ts'
import { Busy } from '../engine/page/Busy.tsx'
import { loadable } from '../engine/page/loadable.tsx'
import { withStyle } from '../engine/runtime/loadStyle.ts'
import { Login } from './signIn/Login.tsx'
import { Thanks } from './signIn/Thanks.tsx'

/** What draws the screens of the kind custom. */
export const custom: Record<CustomScreen['component'], ComponentType> = {
  login: Login,
  loginReset: loadable(() => import('./signIn/LoginReset.tsx')),
  resetPassword: loadable(() => import('./signIn/ResetPassword.tsx')),
  thanks: Thanks,
  constructor: loadable(
    () => withStyle('constructor', import('../constructor/Constructor.tsx')),
    createElement(Busy),
  ),
}
