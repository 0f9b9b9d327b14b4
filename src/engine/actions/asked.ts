import { verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { editableFields, groupOf } from '../../contract/entity.ts'
import type { Action, Field } from '../../contract/types.ts'

/** What a dialog asks for before an action's call: its title, the fields, and whether they change a record that is there. */
export interface Asked {
  title: string
  fields: Field[]
  isChange: boolean
}

/** The body that an action names, or what the verb of its call takes. */
export function askedOf({ bodies, endpoints, entities }: Contract, action: Action): Asked {
  const { label, form, call } = action
  if (form) return { title: label, fields: groupOf(bodies[form]).fields, isChange: false }
  const endpoint = endpoints[call!]
  const verb = verbOf(endpoint)
  if (!verb) throw new Error(`${call} does not say what it takes`)
  const entity = entities[verb.entity]
  const isChange = verb.verb === 'update'
  const isGiven = ({ name }: Field) => name === endpoint.by || (isChange && entity.properties[name].writeOnce)
  return {
    title: `${label} ${entity.title.toLowerCase()}`,
    fields: editableFields(entity).filter((field) => !isGiven(field)),
    isChange,
  }
}
