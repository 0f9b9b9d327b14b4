import type { Contract } from '../../contract/contract.ts'
import type { Grouped, Section } from '../../contract/generated.ts'
import { relativeDay } from '../../contract/relativeDay.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Path, Report } from '../files/report.ts'
import { checkField, fieldProblem, type Shape } from './fields.ts'
import { ANYTHING, checkWhen, pathProblem, type Reach } from './paths.ts'

/** Reports fields in the sections of a form that their record does not have, and invalid paths and conditions. */
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
    for (const [field, preset] of Object.entries(section.presets ?? {}))
      checkPreset(section, field, preset, reach, (problem) => report([...path, 'presets', field], problem))
    for (const [field, grouped] of Object.entries(section.grouped ?? {}))
      checkGrouped(section, shape, field, grouped, reach, (problem) =>
        report([...path, 'grouped', field], problem),
      )
    if (section.from !== undefined) {
      const problem = pathProblem(section.from, reach) ?? fromProblem(section.from, reach)
      if (problem) report([...path, 'from'], problem)
    }
    if (section.at !== undefined && own) {
      const problem = fieldProblem(own, section.at.split('.'))
      if (problem) report([...path, 'at'], problem)
    }
    // The names of a meta's fields are known only at run time.
    const answers = section.from === undefined ? (shape ?? ANYTHING) : ANYTHING
    checkWhen(section.when, { ...reach, answers }, [...path, 'when'], report)
  }
}

/**
 * Checks a preset: it must be for a field of its section, and consist of valid days or durations or of a valid path.
 */
function checkPreset(
  { fields = [] }: Section,
  field: string,
  preset: Preset,
  reach: Reach,
  report: (problem: string) => void,
): void {
  if (!fields.includes(field))
    report(`'${field}' is not one of this section's fields${suggest(field, fields)}`)
  if (Array.isArray(preset)) {
    for (const text of preset)
      if (!PRESET_DURATION.test(text) && !relativeDay(text, SOME_DAY))
        report(`'${text}' is neither a duration ('0:45') nor a day ('today', '-1d', '+7d', 'friday')`)
  } else if (typeof preset === 'string' && preset !== 'only') {
    const problem = pathProblem(preset, reach)
    if (problem) report(problem)
  }
}

/**
 * Checks a grouped field: the other field must be a parameter of its lookup, and both must be fields of the section.
 */
function checkGrouped(
  { fields = [] }: Section,
  shape: Shape | undefined,
  field: string,
  { by, first }: Grouped,
  reach: Reach,
  report: (problem: string) => void,
): void {
  for (const name of [field, by])
    if (!fields.includes(name))
      report(`'${name}' is not one of this section's fields${suggest(name, fields)}`)
  const params = Object.values(shape?.fields?.[field]?.lookup_params ?? {})
  if (shape?.fields && !params.includes(`$${by}`)) report(`no lookup_params of '${field}' is '$${by}'`)
  else if (shape?.fields?.[by] && !shape.fields[by].lookup)
    report(`'${by}' has no lookup that could be headings`)
  const problem = first === undefined ? undefined : pathProblem(first, reach)
  if (problem) report(problem)
}

type Preset = NonNullable<Section['presets']>[string]

const PRESET_DURATION = /^\d{1,2}:[0-5]\d$/
const SOME_DAY = '2026-01-01'

/** Error of a path that should lead to groups or fields but leads to a scalar; undefined for other paths. */
function fromProblem(from: string, reach: Reach): string | undefined {
  const [head, ...rest] = from.split('.')
  const shape = head === 'with' ? reach.with?.[rest.shift() ?? ''] : reach[head as 'record' | 'form']
  const property = rest.length === 1 ? shape?.fields?.[rest[0]] : undefined
  const isPlain = [property?.type]
    .flat()
    .some((type) => type !== undefined && !['array', 'object', 'null'].includes(type))
  return isPlain ? `'${from}' holds no groups of fields` : undefined
}
