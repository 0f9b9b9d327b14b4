import type { Contract } from '../contract.ts'
import type { Section } from '../generated.ts'
import { checkField, fieldProblem, type Shape } from './fields.ts'
import { ANYTHING, checkWhen, pathProblem, type Reach } from './paths.ts'
import type { Path, Report } from './report.ts'

/** Reports fields that a form's sections name and their record does not have, and metas and conditions that lead nowhere. */
export function checkSections(
  contract: Contract,
  sections: Section[] = [],
  own: Shape | undefined,
  reach: Reach,
  at: Path,
  report: Report,
): void {
  for (const [i, section] of sections.entries()) {
    const path = [...at, i]
    const shape = section.entity
      ? { name: section.entity, fields: contract.entities[section.entity]?.properties }
      : own
    for (const [j, field] of (section.fields ?? []).entries())
      checkField(shape, field, [...path, 'fields', j], report)
    if (section.from !== undefined) {
      const problem = pathProblem(section.from, reach) ?? fromProblem(section.from, reach)
      if (problem) report([...path, 'from'], problem)
    }
    if (section.at !== undefined && own) {
      const problem = fieldProblem(own, [section.at.split('.')[0]])
      if (problem) report([...path, 'at'], problem)
    }
    // What a meta's fields are called, only its administrator knows.
    const answers = section.from === undefined ? (shape ?? ANYTHING) : ANYTHING
    checkWhen(section.when, { ...reach, answers }, [...path, 'when'], report)
  }
}

/** What is wrong with a path that should lead to groups or fields, and leads to something plain. */
function fromProblem(from: string, reach: Reach): string | undefined {
  const [head, ...rest] = from.split('.')
  const shape = head === 'with' ? reach.with?.[rest.shift() ?? ''] : reach[head as 'record' | 'form']
  const property = rest.length === 1 ? shape?.fields?.[rest[0]] : undefined
  const isPlain = [property?.type]
    .flat()
    .some((type) => type !== undefined && !['array', 'object', 'null'].includes(type))
  return isPlain ? `'${from}' holds no groups of fields` : undefined
}
