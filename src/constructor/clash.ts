import type { AxiosError } from 'axios'
import type { CaseType, Kept } from './caseType.ts'

/** What somebody else published or kept since it was opened here; `at` is ISO with zone. */
export type Clash = { by?: string; at?: string } & (
  | { about: 'published'; theirs: CaseType }
  | { about: 'draft'; theirs: Kept }
)

/** The clash that a refusal tells of, or undefined. */
export function clashOf({ response }: AxiosError<Record<string, unknown>>): Clash | undefined {
  const { code, about, current, by, at } = response?.data ?? {}
  if (response?.status !== 409 || code !== 'conflict' || !current) return undefined
  const who = by ? { by: String(by), at: String(at) } : {}
  return about === 'draft'
    ? { ...who, about, theirs: current as Kept }
    : { ...who, about: 'published', theirs: current as CaseType }
}
