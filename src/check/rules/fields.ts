import { entityOfCall } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Property } from '../../contract/generated.ts'
import { suggest } from '../../contract/suggest.ts'
import { isAmount } from '../../contract/valueProblem.ts'
import type { Path, Report } from '../files/report.ts'

/**
 * A record whose fields a descriptor can refer to; without `fields` its shape is not known, and any name is accepted.
 */
export interface Shape {
  name: string
  fields?: Record<string, Property>
}

const shapes = new WeakMap<Contract['entities'][string], Shape>()

/** Shape of an entity, in which the roles are the options of fields that hold ids of roles. */
export function shapeOfEntity({ entities, roles }: Contract, name: string): Shape {
  const entity = entities[name]
  if (!entity) return { name }
  const known = shapes.get(entity)
  if (known) return known
  const options = roles.roles.map(({ id, label }) => ({ value: id, label }))
  const fields = Object.entries(entity.properties).map(([key, property]) => [
    key,
    property.lookup === 'role' ? { ...property, options } : property,
  ])
  const shape = { name, fields: Object.fromEntries(fields) }
  shapes.set(entity, shape)
  return shape
}

/** Shape of the record in a call's reply, or of one row of a list; undefined without a call. */
export function shapeOfCall(contract: Contract, call: string | undefined): Shape | undefined {
  if (call === undefined) return undefined
  const name = entityOfCall(contract, call)
  return name ? shapeOfEntity(contract, name) : { name: call }
}

/** Error of a path of keys into a record; undefined if it is valid. */
export function fieldProblem({ name, fields }: Shape, [key, ...rest]: string[]): string | undefined {
  if (!fields || key === undefined) return undefined
  const property = Object.hasOwn(fields, key) ? fields[key] : undefined
  if (!property) return `no field '${key}' in ${name}${suggest(key, Object.keys(fields))}`
  if (property.columns) return fieldProblem({ name: key, fields: property.columns }, rest)
  const isOpen = [property.type]
    .flat()
    .some((type) => type === undefined || type === 'object' || type === 'array')
  return rest.length > 0 && !isOpen ? `'${key}' of ${name} has no parts` : undefined
}

/** The property at a path of keys into a record; undefined if its shape is not known. */
export function propertyAt({ fields = {} }: Shape, [key, ...rest]: string[]): Property | undefined {
  const property = key !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined
  if (!property || rest.length === 0) return property
  return property.columns && propertyAt({ name: key, fields: property.columns }, rest)
}

/** Reports a field that a record does not have. */
export function checkField(shape: Shape | undefined, field: string, path: Path, report: Report): void {
  const problem = shape && fieldProblem(shape, [field])
  if (problem) report(path, problem)
}

/** Reports a field that a record does not have, or whose values cannot be added up. */
export function checkAmount(shape: Shape | undefined, field: string, path: Path, report: Report): void {
  const problem = shape && fieldProblem(shape, [field])
  const property = shape && propertyAt(shape, [field])
  const amounts = Object.entries(shape?.fields ?? {}).filter(([, one]) => isAmount(one))
  if (problem) report(path, problem)
  else if (property && !isAmount(property))
    report(
      path,
      `'${field}' is not a number or duration to add up${listed(
        field,
        amounts.map(([name]) => name),
      )}`,
    )
}

/** The nearest of the names, or all of them. */
function listed(name: string, known: string[]): string {
  return suggest(name, known) || (known.length > 0 ? `; ${known.join(', ')} can be` : '')
}

/** The profile of the signed-in person. */
export function userShape(contract: Contract): Shape {
  return shapeOfEntity(contract, 'me')
}
