import type { Field, FieldType } from '../generated.ts'
import { pluralise } from '../pluralise.ts'
import type { MetaName } from './metaTypes.ts'

/** Names of fields that database columns are derived from, with the type that these expect. */
export const RESERVED: Record<MetaName, Record<string, FieldType>> = {
  case_meta: { is_urgent: 'yesno' },
  issue_meta: {},
}

const ONE: Record<MetaName, string> = { case_meta: 'case', issue_meta: 'issue' }

/** True if lists and reports read this field by its name; such a field can only be switched off. */
export function isReserved(meta: MetaName, name: string): boolean {
  return Object.hasOwn(RESERVED[meta], name)
}

/** 'answered in 12 cases': how many records hold an answer, in words. */
export function answeredIn(meta: MetaName, count: number): string {
  return `answered in ${pluralise(count, ONE[meta])}`
}

/** Why a field cannot be removed, or undefined where it can. */
export function whyNotRemovable(meta: MetaName, { name, label }: Field, count: number): string | undefined {
  if (count > 0) return `'${label}' is ${answeredIn(meta, count)}; switch it off instead of removing it`
  if (isReserved(meta, name)) return `Lists and reports read '${label}'; switch it off instead of removing it`
  return undefined
}

/** Why the type and the kind of choices of a field cannot change, or undefined where they can. */
export function whyTypeFixed(meta: MetaName, { name, label }: Field, count: number): string | undefined {
  if (count > 0) {
    return `'${label}' is ${answeredIn(meta, count)}, so its type cannot change; switch it off and add a new field`
  }
  if (isReserved(meta, name)) return `Lists and reports read '${label}', so its type cannot change`
  return undefined
}
