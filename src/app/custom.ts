import { type ComponentType, createElement } from 'react'
import type { CustomScreen, PublicFormScreen } from '../contract/generated.ts'
import { Busy } from '../engine/page/Busy.tsx'
import { loadable } from '../engine/page/loadable.tsx'
import { withStyle } from '../engine/runtime/loadStyle.ts'
import { Login } from './signIn/Login.tsx'
import { Thanks } from './signIn/Thanks.tsx'

/** A part for people who are not signed in that is drawn with the forms' own style. */
const withForms = async <T>(part: Promise<T>): Promise<T> =>
  withStyle('inside', withStyle('publicForm', part))

/** What draws the screens of the kind publicForm. */
export const PublicForm = loadable<{ screen: PublicFormScreen }>(
  () => withForms(import('../engine/publicForm/PublicForm.tsx')),
  createElement(Busy),
)

/** What draws the screens of the kind custom. */
export const custom: Record<CustomScreen['component'], ComponentType> = {
  login: Login,
  loginReset: loadable(() => import('./signIn/LoginReset.tsx')),
  resetPassword: loadable(() => import('./signIn/ResetPassword.tsx')),
  thanks: Thanks,
  referralStatus: loadable(() => withForms(import('./ReferralStatus.tsx')), createElement(Busy)),
  constructor: loadable(
    () => withStyle('constructor', import('../constructor/Constructor.tsx')),
    createElement(Busy),
  ),
}
