import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { fillTemplate } from '../core/fillTemplate.ts'

/** Title and button of a confirmation; `about` distinguishes the record where the page shows several. */
export function confirmTexts(
  { title, label }: Action,
  record: Values,
  about?: string,
): { title: string; button: string } {
  if (title) return { title: fillTemplate(title, record), button: fillTemplate(title, record) }
  return { title: about ? `${label} ${about}` : label, button: label }
}
