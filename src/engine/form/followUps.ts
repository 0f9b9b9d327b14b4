import { isAsked } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import type { Literal, Test } from '../../contract/when.ts'

/** A field with those that one of its choices brings up, each with that choice. */
export interface FieldNode {
  field: Field
  followUps: { choice: Literal; node: FieldNode }[]
}

const CHOICES: Field['type'][] = ['yesno', 'select', 'multiselect']

/**
 * Puts each field that stands directly after a field of choices, and is there only for one of these choices, below
 * that field. A follow-up may have follow-ups of its own.
 */
export function withFollowUps(fields: Field[]): FieldNode[] {
  const roots: FieldNode[] = []
  // The last field with the fields around it: whom the next one may follow.
  let around: FieldNode[] = []
  for (const field of fields) {
    const node: FieldNode = { field, followUps: [] }
    const depth = around.findLastIndex((one) => choiceBefore(field, one.field) !== undefined)
    const parent = around[depth]
    if (parent) parent.followUps.push({ choice: choiceBefore(field, parent.field)!, node })
    else roots.push(node)
    around = [...around.slice(0, depth + 1), node]
  }
  return roots
}

/** The one choice of the field before for which this field is there; undefined where its condition says anything else. */
function choiceBefore({ attrs }: Field, before: Field): Literal | undefined {
  const tests = Object.entries(attrs?.when ?? {})
  if (tests.length !== 1 || tests[0][0] !== before.name) return undefined
  if (!CHOICES.includes(before.type) || !isAsked(before)) return undefined
  const [choice, ...others] = [tests[0][1] as Test].flat()
  return others.length > 0 || choice === null || typeof choice === 'object' ? undefined : choice
}
