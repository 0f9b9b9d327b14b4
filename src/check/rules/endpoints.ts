import { callOf, parametersOf, partsOf, verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { MAX_PAGE } from '../../contract/limits.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Report } from '../files/report.ts'
import { checkField, shapeOfCall } from './fields.ts'
import { callAddressProblem } from './sameAddress.ts'
import { bodyOfCall } from './values.ts'

const OF_ONE_RECORD = ['read', 'update', 'remove', 'retire', 'unretire', 'upload']
const SETS_STATUS = ['retire', 'unretire']

/** Reports unknown names in the descriptor of a call; `handlers` are those of the code. */
export function checkEndpoint(
  contract: Contract,
  key: string,
  file: string,
  handlers: string[],
  report: Report,
): void {
  const endpoint = contract.endpoints[key]
  const [first] = key.split('.')
  if (first !== file) report([key], `'${key}' belongs in schemas/endpoints/${first}.json`)
  const { path } = callOf(endpoint)
  const parts = partsOf(path)
  for (const name of Object.keys(endpoint.parts ?? {}))
    if (!parts.includes(name))
      report([key, 'parts', name], `no '{${name}}' in the path${suggest(name, parts)}`)
  const taken = callAddressProblem(contract, key)
  if (taken) report([key, 'call'], taken)
  for (const [i, group] of (endpoint.query ?? []).entries()) {
    const twice = (endpoint.query ?? []).indexOf(group) < i
    if (twice) report([key, 'query', i], `'${group}' is there twice`)
  }
  const { pageSize = 1, largestPage = 'keyed' } = endpoint
  if (pageSize > MAX_PAGE[largestPage])
    report([key, 'pageSize'], `a page of this call has at most ${MAX_PAGE[largestPage]} rows`)
  const { stepUp } = endpoint
  for (const [i, field] of (Array.isArray(stepUp) ? stepUp : []).entries())
    checkField(bodyOfCall(contract, key), field, [key, 'stepUp', i], report)
  const verb = verbOf(endpoint)
  if (!verb) {
    if (!handlers.includes(endpoint.does))
      report(
        [key, 'does'],
        `no handler '${endpoint.does}' in src/server/features/handlers.ts${suggest(endpoint.does, handlers)}`,
      )
    // A handler looks up rows by a column, or by an entity of which each has its own column.
    if (endpoint.by && !contract.entities[endpoint.by])
      checkField(shapeOfCall(contract, key), endpoint.by, [key, 'by'], report)
    checkOrder(contract, key, endpoint.reply, report)
    return
  }
  const entity = contract.entities[verb.entity]
  if (!entity) {
    const known = Object.keys(contract.entities)
    report([key, 'does'], `no entity '${verb.entity}'${suggest(verb.entity, known)}`)
    return
  }
  const own = { name: verb.entity, fields: entity.properties }
  checkFigures(contract, key, verb, report)
  const needsId = OF_ONE_RECORD.includes(verb.verb) || endpoint.by !== undefined
  if (needsId && !parts.includes('id')) report([key, 'call'], `'${endpoint.does}' needs an {id} in its path`)
  const takesId = needsId || Object.values(endpoint.where ?? {}).includes('{id}')
  for (const part of parts) {
    if (part === 'id' && takesId) continue
    const advice = part === 'id' ? "name the field in 'by'" : 'verbs take only {id}'
    report([key, 'call'], `'{${part}}' is not used: ${advice}`)
  }
  if (!entity.table) report([key, 'does'], `${verb.entity} has no 'table' to ${verb.verb}`)
  else if (SETS_STATUS.includes(verb.verb) && !entity.properties.status)
    report([key, 'does'], `'${endpoint.does}' sets 'status', which is not a field of ${verb.entity}`)
  if (endpoint.by) checkField(own, endpoint.by, [key, 'by'], report)
  checkOrder(contract, key, verb.entity, report)
}

function checkOrder(contract: Contract, key: string, entity: string | undefined, report: Report): void {
  const rows = entity === undefined ? undefined : contract.entities[entity]
  for (const [i, field] of (contract.endpoints[key].order ?? []).entries())
    checkField(
      rows && { name: rows.$id, fields: rows.properties },
      field.replace(/^-/, ''),
      [key, 'order', i],
      report,
    )
}

/** Checks that figures are of an entity with facts, and reply with the entity that is derived from these. */
function checkFigures(
  contract: Contract,
  key: string,
  { verb, entity }: { verb: string; entity: string },
  report: Report,
): void {
  const { reply, protect } = contract.endpoints[key]
  if (protect && verb !== 'figures') report([key, 'protect'], 'only figures are protected')
  if (verb !== 'figures') return
  const row = `${entity}Figures`
  if (!contract.entities[entity].facts) report([key, 'does'], `${entity} has no facts to count`)
  else if (reply !== row) report([key, 'reply'], `the reply of figures of ${entity} is '${row}'`)
  const { by } = parametersOf(contract, contract.endpoints[key])
  if (by?.options === undefined)
    report(
      [key, 'query'],
      `figures of ${entity} need the query group '${row}', or a group with a parameter 'by' and its options`,
    )
}
