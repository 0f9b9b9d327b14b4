import type { Screen } from '../../contract/generated.ts'

/** The route of a screen in the router's syntax; that of a wizard ends with its step. */
export function routerPath({ kind, route }: Screen): string {
  const path = route.replaceAll(/\{(\w+)\}/g, ':$1')
  return kind === 'wizard' ? `${path}/:step?` : path
}
