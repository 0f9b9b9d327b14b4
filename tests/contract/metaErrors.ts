import type { Field, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { caseMeta, group } from './metaBuilders.ts'

/** The lookups that the forms of these tests may name. */
export const known = { lookups: { gender: {}, sfg_subcategory: { by: ['sfg_category'] } } }

/** The validation errors of a case form with these groups. */
export function check(...groups: Group[]) {
  return checkMeta(caseMeta(...groups), known)
}

/** The messages of the validation errors of a case form with these fields. */
export const messages = (...fields: Field[]) => check(group('one', fields)).map((p) => p.message)
