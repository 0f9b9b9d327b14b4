import type { Contract } from '../../contract/contract.ts'
import type { FormScreen } from '../../contract/generated.ts'
import { isSet, type Values } from '../../contract/when.ts'
import { entityOf } from '../runtime/entityOf.ts'
import { fillTemplate } from '../runtime/fillTemplate.ts'

const MOST = 200

/** What to call an unfinished record of a form: its title, and what it belongs to ('New Action – Issue 12'). */
export function draftTitle(contract: Contract, screen: FormScreen, document: Values, params: Values): string {
  const parent = screen.parent?.at(-1)
  const { properties } = entityOf(contract, screen.save!)
  const refs = Object.entries(properties).filter(([name, { ref }]) => ref && isSet(document[name]))
  const refTitles = refs.map(([name, { title }]) => `${title} ${document[name]}`)
  const names = [screen.title, ...(parent ? [parent.label] : [])].map((text) => fillTemplate(text, params))
  return [...names, ...refTitles].join(' – ').slice(0, MOST)
}
