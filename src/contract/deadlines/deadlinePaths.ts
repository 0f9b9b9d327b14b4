import { isDay } from '../fieldTypes.ts'
import type { Deadline, Entity, Field, Property } from '../generated.ts'
import { lower } from '../messages.ts'
import type { Metas } from '../meta/metaTypes.ts'
import { fieldsByName } from '../meta/places.ts'
import { recordFields } from '../meta/recordFields.ts'
import { quoted } from '../quoted.ts'
import { suggest } from '../suggest.ts'
import { isAmount, kindOfValue } from '../valueProblem.ts'

/** What a path of a deadline must lead to. */
export type PathKind = 'date' | 'number'

/** The forms and records that the paths of a deadline lead into. */
export interface PathReach {
  of: Deadline['of']
  metas: Metas
  /** The entities case and issue; without them, columns are not checked. */
  entities?: Record<string, Pick<Entity, 'properties'>>
}

/** The field or the column at a path; neither if there is none. */
interface Target {
  field?: Field
  property?: Property
  /** Names that could have been meant. */
  names: string[]
}

/** The error of a path, as the end of a sentence; undefined if it leads to a value of this kind. */
export function pathProblem(path: string, kind: PathKind, reach: PathReach): string | undefined {
  const name = path.split('.').at(-1)!
  const target = targetOf(path, reach)
  if (!target)
    return `'${path}', which it cannot reach; choose a field of the form, of the record or of its case`
  const { field, property, names } = target
  if (!field && !property) return `'${path}', but there is no such field${suggest(name, names)}`
  const isRight = field ? isFieldOfKind(field, kind) : hasKind(property!, kind)
  return isRight ? undefined : `${labelOf(target, name)}, which is not a ${kind}; choose another field`
}

/** The words for a path: the quoted label of its field, or the title of its column. */
export function pathWords(path: string, reach: PathReach): string {
  const target = targetOf(path, reach)
  if (!target) return quoted(path)
  // Without the entities, the titles of some columns are known all the same.
  const known = target.field || target.property ? undefined : recordFields(reach.of, reach.metas).get(path)
  return known ? `the ${lower(known.label)}` : labelOf(target, path)
}

function labelOf({ field, property }: Target, name: string): string {
  if (field) return quoted(field.label, name)
  return property ? `the ${lower(property.title)}` : quoted(name)
}

function targetOf(path: string, { of, metas, entities }: PathReach): Target | undefined {
  const parts = path.split('.')
  const own = fieldsByName(of === 'case' ? metas.case_meta : metas.issue_meta)
  if (parts.length === 1) return { field: own.get(path), names: [...own.keys()] }
  const [root, name, ...rest] = parts
  if (rest.length > 0) return undefined
  if (root === '$case') {
    const answers = fieldsByName(metas.case_meta)
    const columns = columnsOf(entities?.case)
    return {
      field: answers.get(name),
      property: columns[name],
      names: [...answers.keys(), ...Object.keys(columns)],
    }
  }
  if (root !== 'record') return undefined
  const columns = columnsOf(entities?.[of])
  return { property: columns[name], names: Object.keys(columns) }
}

function columnsOf(entity: Pick<Entity, 'properties'> | undefined): Record<string, Property> {
  return { ...entity?.properties }
}

/** True if the answer to a field is of this kind. */
export function isFieldOfKind(field: Field, kind: PathKind): boolean {
  // A date may also be one that is calculated; a number with decimal places is no number of days.
  return kind === 'date' ? isDay(field) : field.type === 'integer'
}

function hasKind(property: Property, kind: PathKind): boolean {
  return kind === 'date'
    ? property.format === 'date'
    : isAmount(property) && kindOfValue(property) === 'number'
}
