import { type ComponentType, createElement } from 'react'
import type { CustomScreen } from '../contract/generated.ts'
import { Busy } from '../engine/core/Busy.tsx'
import { loadable } from '../engine/core/loadable.tsx'
import { withStyle } from '../engine/core/loadStyle.ts'
import { loadPatterns } from '../engine/form/store/patternErrors.ts'
import { Login } from './signIn/Login.tsx'
import { Thanks } from './signIn/Thanks.tsx'

// biome-ignore lint/suspicious/noExplicitAny: each gets a screen of its own kind.
type ScreenComponent = ComponentType<any>

/** The components of screens outside of the engine's kinds: custom screens by their `component`, and public forms. */
export const custom: Record<CustomScreen['component'] | 'publicForm', ScreenComponent> = {
  publicForm: loadable(() => import('../engine/kinds/public/PublicForm.tsx')),
  login: Login,
  loginReset: loadable(() => import('./signIn/LoginReset.tsx')),
  resetPassword: loadable(() => import('./signIn/ResetPassword.tsx')),
  authenticator: loadable(() => withStyle('proof', import('./signIn/Authenticator.tsx'))),
  signOn: loadable(() => import('./signIn/SignOn.tsx')),
  thanks: Thanks,
  referralStatus: loadable(() => import('./ReferralStatus.tsx')),
  constructor: loadable(async () => {
    // The first render validates with patterns already.
    const [module] = await Promise.all([
      withStyle('constructor', import('../constructor/Constructor.tsx')),
      loadPatterns(),
    ])
    return module
  }, createElement(Busy)),
}
