import { isQuestion, isSingleValue } from '../fieldTypes.ts'
import type { Field } from '../generated.ts'
import { quoted } from '../quoted.ts'
import { suggest } from '../suggest.ts'
import type { Reach } from './places.ts'

/** Texts with placeholders: those of a field, and those of an automation for who sees the record. */
export type TextKind = 'field' | 'automation'

interface Rules {
  unknown: (name: string, known: Iterable<string>) => string
  /** Why the answer of a field cannot stand in the text; undefined if it can. */
  refused: (field: Field, name: string) => string | undefined
}

const RULES: Record<TextKind, Rules> = {
  field: {
    unknown: (name) => `This text names '{${name}}', but there is no such field; choose another or remove it`,
    // Labels of lookup items are not known where texts are filled, and sensitive answers are for their field alone.
    refused: (field, name) =>
      !isSingleValue(field) || field.attrs?.lookup || field.attrs?.sensitive
        ? `The answer of '${field.label}' cannot stand in a text; remove '{${name}}'`
        : undefined,
  },
  automation: {
    unknown: (name, known) => `{${name}} is not a field of this form${suggest(name, known)}`,
    refused: (field, name) => {
      if (!isQuestion(field))
        return `${quoted(field.label)} is a note, which nobody answers; remove '{${name}}'`
      return field.attrs?.sensitive
        ? `${quoted(field.label)} is shown in its record only, and what an automation says is read in lists too`
        : undefined
    },
  },
}

/** True if the answer of a field can stand in a text of this kind. */
export function canStandIn(kind: TextKind, field: Field): boolean {
  return RULES[kind].refused(field, field.name) === undefined
}

/**
 * Error of a placeholder in a text; undefined if its answer can stand there. `own` is the field that has the text, and
 * `known` are the names to suggest.
 */
export function placeholderError(
  kind: TextKind,
  name: string,
  fields: Reach,
  own?: Pick<Field, 'name' | 'label'>,
  known: Iterable<string> = [],
): string | undefined {
  const field = fields.get(name)
  if (!field) return RULES[kind].unknown(name, known)
  if (name === own?.name) return `'${own.label}' cannot stand in its own text; remove '{${name}}'`
  return RULES[kind].refused(field, name)
}
