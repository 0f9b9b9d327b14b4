import { isSet, type Values } from '../../contract/when.ts'
import { useRead } from '../runtime/calls.ts'
import { useContract } from '../runtime/contract.ts'
import { statusOf } from '../runtime/describeError.ts'
import { fillTemplate } from '../runtime/fillTemplate.ts'

/** A record by what people call it; by its number until that is known, or where nothing reads it. */
export function RecordName({ entity, id }: { entity: string; id: unknown }) {
  return useRecordName(entity, id)
}

/** The same as a text; nothing is asked without an id. */
export function useRecordName(entity: string, id: unknown): string {
  const { entities, endpoints } = useContract()
  const { title, named } = entities[entity]
  const read = Object.keys(endpoints).find((name) => endpoints[name].does === `read ${entity}`)
  const { data, error } = useRead<Values>(isSet(id) && named ? read : undefined, { params: { id } })
  if (named && data) return fillTemplate(named, data)
  const isMissing = statusOf(error) === 404
  return `${title} ${id}${isMissing ? ': there is none, or you may not see it' : ''}`
}
