import { verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { missingSetRule, SCOPE_FIELDS } from '../../contract/setBy.ts'

/** Problems of `setBy` in an entity, by path: every field that decides who sees a record needs a rule. */
export function setRuleErrors(contract: Contract, name: string): { path: string[]; message: string }[] {
  const { properties, scope } = contract.entities[name]
  const isScoped = scope !== undefined && isWritten(contract, name)
  return Object.entries(properties).flatMap(([field, property]) => {
    const path = ['properties', field]
    const missing = isScoped && SCOPE_FIELDS.includes(field) ? missingSetRule(property) : undefined
    if (missing) return { path, message: `'${field}' decides who sees a record, so it needs '${missing}'` }
    if (property.setBy?.createSelf && !property.setBy.create)
      return { path: [...path, 'setBy'], message: "'createSelf' needs 'create'" }
    return []
  })
}

function isWritten({ endpoints }: Contract, entity: string): boolean {
  return Object.values(endpoints).some((endpoint) => {
    const verb = verbOf(endpoint)
    return endpoint.writes === entity || (verb?.entity === entity && /^(create|update)$/.test(verb.verb))
  })
}
