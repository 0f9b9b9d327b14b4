import { metaOf } from '../core/branding.ts'

export interface SignOnProvider {
  id: string
  name: string
}

/** The providers that people sign in with, and whether they may use a password instead. */
export function signOnSettings(): { providers: SignOnProvider[]; passwords: boolean } {
  const text = metaOf('sign-on')
  return text ? JSON.parse(text) : { providers: [], passwords: true }
}
