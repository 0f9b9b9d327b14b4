import { type ComponentType, lazy } from 'react'
import type { CustomScreen } from '../contract/types.ts'
import { Login } from './Login.tsx'
import { Thanks } from './Thanks.tsx'

/** What draws the screens of the kind custom. */
export const custom: Record<CustomScreen['component'], ComponentType> = {
  login: Login,
  thanks: Thanks,
  constructor: lazy(() => import('../constructor/Constructor.tsx')),
}
