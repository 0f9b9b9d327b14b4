import { callOf, partsOf, verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Parameter, Property } from '../../contract/generated.ts'
import { propertyAt, type Shape } from './fields.ts'

/** The lookup whose items are records of the entity of the same name. */
const STAFF = 'staff'

/** The entity whose id a field of a record is; undefined if the definition of the field does not say. */
function idKindOf({ entities }: Contract, shape: Shape, field: string): string | undefined {
  const property = propertyAt(shape, [field])
  if (!property) return undefined
  return field === 'id' ? ownKind(entities, shape.name) : kindOfField(entities, field, property)
}

/**
 * The entity of `ref` or of a lookup of staff, else the one that has the name of the field, if that is a whole number.
 */
function kindOfField(
  entities: Contract['entities'],
  name: string,
  property: Property = { title: '' },
): string | undefined {
  const { ref, lookup, type } = property
  if (ref) return ownKind(entities, ref)
  if (lookup) return lookup === STAFF ? STAFF : undefined
  const isNumber = [type].flat().includes('integer')
  return isNumber && Object.hasOwn(entities, name) ? ownKind(entities, name) : undefined
}

/**
 * The entity whose ids the rows of an entity have: the one with a page and the same table or view, else the one that
 * its scope is about.
 */
function ownKind(entities: Contract['entities'], name: string): string | undefined {
  const entity = entities[name]
  if (!entity?.table) return undefined
  const { key, scope, scopeKey, page, properties } = entity
  if (key && key !== 'id') return kindOfField(entities, key, properties[key])
  if (page) return name
  const same = Object.values(entities).find((one) => one.page && [one.table, one.view].includes(entity.table))
  if (same) return same.$id
  return scope && !scopeKey && Object.hasOwn(entities, scope) ? scope : undefined
}

/** The parts of the addresses of screens and calls that are ids, by the address up to them ('/cases/{}'). */
type Parts = Map<string, string>

const known = new WeakMap<Contract['screens'], Parts>()

function partsOfAddresses(contract: Contract): Parts {
  const cached = known.get(contract.screens)
  if (cached) return cached
  const { entities, endpoints, screens } = contract
  const parts: Parts = new Map()
  const add = (path: string, part: string, kind: string | undefined) => {
    const prefix = prefixOf(path, part)
    if (kind && !parts.has(prefix)) parts.set(prefix, kind)
  }
  for (const [name, { page, properties }] of Object.entries(entities)) {
    for (const part of partsOf(page ?? ''))
      add(page!, part, idKindOf(contract, { name, fields: properties }, part))
  }
  for (const [call, endpoint] of Object.entries(endpoints)) {
    const kind = kindOfCall(contract, call)
    add(callOf(endpoint).path, 'id', kind)
    for (const screen of Object.values(screens))
      if ('read' in screen && screen.read === call && partsOf(screen.route).includes('id'))
        add(screen.route, 'id', kind)
  }
  known.set(contract.screens, parts)
  return parts
}

/** The entity whose id a verb takes as {id} of its path. */
function kindOfCall({ entities, endpoints }: Contract, call: string): string | undefined {
  const endpoint = endpoints[call]
  const verb = verbOf(endpoint)
  const entity = verb && entities[verb.entity]
  if (!verb || !entity || !partsOf(callOf(endpoint).path).includes('id')) return undefined
  if (endpoint.by) return kindOfField(entities, endpoint.by, entity.properties[endpoint.by])
  return endpoint.where ? undefined : ownKind(entities, verb.entity)
}

const prefixOf = (path: string, part: string) =>
  `${path.slice(0, path.indexOf(`{${part}}`)).replaceAll(/\{\w+\}/g, '{}')}{}`

/** Error of a record's field in a part of an address, if the part is the id of another entity. */
export function idProblem(
  contract: Contract,
  address: string,
  part: string,
  field: string,
  records: (Shape | undefined)[],
): string | undefined {
  const wanted = partsOfAddresses(contract).get(prefixOf(address, part))
  return wanted && mismatch(contract, `'${address}'`, wanted, field, records)
}

/** `idProblem` for a parameter after the `?` of an address: a filter by people, or one called like an entity. */
export function queryIdProblem(
  contract: Contract,
  name: string,
  filter: Parameter | undefined,
  field: string,
  records: (Shape | undefined)[],
): string | undefined {
  const { entities } = contract
  const wanted = kindOfField(entities, name, { title: '', type: 'integer', lookup: filter?.lookup })
  return wanted && mismatch(contract, `'${name}'`, wanted, field, records)
}

/** `idProblem` for a value that is the id of another entity than its field holds. */
export function valueIdProblem(
  contract: Contract,
  name: string,
  property: Property,
  field: string,
  records: (Shape | undefined)[],
): string | undefined {
  const wanted = kindOfField(contract.entities, name, property)
  return wanted && mismatch(contract, `'${name}'`, wanted, field, records)
}

/** `valueIdProblem` for a parameter of the address ('query.issue'), which is called like its entity. */
export function initialIdProblem(
  { entities }: Contract,
  name: string,
  property: Property,
  path: string,
): string | undefined {
  const [root, parameter, ...rest] = path.split('.')
  if (root !== 'query' || rest.length > 0) return undefined
  const wanted = kindOfField(entities, name, property)
  const kind = kindOfField(entities, parameter, { title: '', type: 'integer' })
  if (!wanted || !kind || wanted === kind) return undefined
  return `'${name}' takes an id of '${wanted}', and '${path}' is one of '${kind}'`
}

function mismatch(
  contract: Contract,
  what: string,
  wanted: string,
  field: string,
  records: (Shape | undefined)[],
): string | undefined {
  const owner = records.find((shape) => shape && propertyAt(shape, [field]))
  const kind = owner && idKindOf(contract, owner, field)
  if (!kind || wanted === kind) return undefined
  const fields = Object.keys(owner.fields ?? {})
  const right = fields.filter((name) => idKindOf(contract, owner, name) === wanted)
  const advice = right.length > 0 ? `; write ${right.map((name) => `{${name}}`).join(' or ')}` : ''
  return `${what} takes an id of '${wanted}', and '${field}' is one of '${kind}'${advice}`
}
