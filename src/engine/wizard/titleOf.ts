import type { Contract } from '../../contract/contract.ts'
import type { WizardScreen } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { isPlainObject } from '../../contract/when.ts'
import { getAt } from '../form/paths.ts'

/** What to call an unfinished one: the required texts of the record it is about ('Ann Ames'); '' while there are none. */
export function draftTitleOf(
  contract: Contract,
  { steps }: WizardScreen,
  document: Values,
  record: Values | undefined,
): string {
  const step = steps.find((s) => s.existing)
  const entity = step?.entity && contract.entities[step.entity]
  if (!step || !entity) return ''
  const value = record ?? getAt(document, step.at ?? '')
  const names = entity.required ?? []
  const texts = isPlainObject(value) ? names.map((name) => value[name]) : []
  return texts.filter((text) => typeof text === 'string').join(' ')
}
