import type { Contract } from '../../../contract/contract.ts'
import { editableFields, isFree } from '../../../contract/entity.ts'
import { FIELD_TYPES, isEditable } from '../../../contract/fieldTypes.ts'
import { plainLabel } from '../../../contract/filledTexts.ts'
import type { Entity, Field, Group } from '../../../contract/generated.ts'
import { setRight } from '../../../contract/setBy.ts'
import type { Caller } from '../../core/call.ts'
import type { CaseType } from '../cases/newRecord.ts'

/** A value of a new case that a column of a spreadsheet can have. */
export interface Target {
  /** Dotted path in the body of POST /case/. */
  path: string
  /** The parts of the path. */
  keys: string[]
  /** Unique among the targets of a case type. */
  heading: string
  part: string
  /** Title of its group in the form. */
  group?: string
  field: Field
}

/** The target of a column that is ignored. */
export const LEAVE_OUT = 'leave_out'

/** The targets that this person can set for cases of a type, in the order of the forms. */
export function targetsOf({ entities, roles }: Contract, type: CaseType, me: Caller): Target[] {
  const ofEntity = (entity: Entity, at: string, part: string) => {
    const mayBeSet = ({ name }: Field) =>
      !isFree(entity, name) && setRight(roles, entity.properties[name], 'create', me.groups) === 'any'
    return editableFields(entity)
      .filter(mayBeSet)
      .flatMap((field) => targetsOfField(field, at, part))
  }
  const ofMeta = (groups: Group[], at: string, part: string) =>
    groups
      .filter(({ attrs }) => attrs?.is_on !== false)
      .flatMap(({ label, fields }) =>
        fields
          .filter((field) => field.attrs?.is_on !== false && isEditable(field))
          .flatMap((field) => targetsOfField(field, at, part, label)),
      )
  return withUniqueHeadings([
    ...ofEntity(entities.client, 'client', 'client'),
    ...ofEntity(entities.case, 'case', 'case'),
    ...ofMeta(type.case_meta, 'case.answers', 'case'),
    ...ofEntity(entities.issue, 'issue', 'issue'),
    ...ofMeta(type.issue_meta, 'issue.answers', 'issue'),
    ...ofEntity(entities.caseMonitoring, 'monitoring', 'monitoring'),
  ])
}

function targetsOfField(field: Field, at: string, part: string, group?: string): Target[] {
  const { parts, sheet } = FIELD_TYPES[field.type]
  if (sheet.kind === 'none') return []
  const path = `${at}.${field.name}`
  if (!parts) return [target(path, part, field, group)]
  return parts.map((one) =>
    target(`${path}.${one.name}`, part, { ...one, label: `${field.label}: ${one.label}` }, group),
  )
}

function target(path: string, part: string, field: Field, group?: string): Target {
  return { path, keys: path.split('.'), heading: plainLabel(field.label), part, group, field }
}

/** Adds the part to headings that are repeated, the group of the form to those that still are, and then a number. */
function withUniqueHeadings(targets: Target[]): Target[] {
  const ofParts = lengthen(targets, ({ heading, part }) => `${heading} (${part})`)
  const ofGroups = lengthen(ofParts, ({ heading, group }) => (group ? `${group}: ${heading}` : heading))
  const counts = new Map<string, number>()
  return lengthen(ofGroups, ({ heading }) => {
    const number = (counts.get(normalise(heading)) ?? 0) + 1
    counts.set(normalise(heading), number)
    return `${heading} ${number}`
  })
}

/** Lengthens headings that are repeated. */
function lengthen(targets: Target[], longer: (target: Target) => string): Target[] {
  const keys = targets.map(({ heading }) => normalise(heading))
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return targets.map((one, i) => (counts.get(keys[i])! > 1 ? { ...one, heading: longer(one) } : one))
}

/** Normalises a heading for comparison: without case, punctuation and extra spaces. */
export function normalise(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
