import type { Entity } from '../../contract/generated.ts'
import { isSet, type Values } from '../../contract/when.ts'
import { fillTemplate } from '../runtime/fillTemplate.ts'
import type { Choice } from './Typeahead.tsx'

/** A row as a choice: what its entity says that one is called, and what to know before. */
export function choiceOf(row: Values, chosen: Entity['chosen']): Choice {
  const about = (chosen?.about ?? []).map((name) => row[name]).filter(isSet)
  return {
    value: row.id,
    label: fillTemplate(chosen?.label ?? '{id}', row),
    about: about.join(', ') || undefined,
  }
}
