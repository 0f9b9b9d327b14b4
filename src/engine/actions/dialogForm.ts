import type { Contract } from '../../contract/contract.ts'
import { groupOf } from '../../contract/entity.ts'
import type { Action, Field } from '../../contract/generated.ts'
import { isChange, requestedFields } from '../../contract/requestedFields.ts'
import { permittedField } from '../form/permittedField.ts'
import { entityOf } from '../runtime/entityOf.ts'
import type { User } from '../runtime/user.ts'

/** What a dialog asks for before an action's call: its title, the fields, and whether they change a record that is there. */
export interface DialogForm {
  title: string
  fields: Field[]
  isChange: boolean
}

/** The body that an action names, or what this person may write of the record that its call adds (POST) or changes. */
export function dialogFormOf(contract: Contract, action: Action, user: User): DialogForm {
  const { bodies, endpoints } = contract
  const { label, form, call } = action
  if (form) return { title: label, fields: groupOf(bodies[form]).fields, isChange: false }
  const endpoint = endpoints[call!]
  const entity = entityOf(contract, call!)
  const occasion = isChange(endpoint) ? 'update' : 'create'
  const permitted = (field: Field) =>
    permittedField(contract, entity.properties[field.name], field, occasion, user) ?? []
  return {
    title: `${label} ${entity.title.toLowerCase()}`,
    fields: requestedFields(entity, endpoint).flatMap(permitted),
    isChange: isChange(endpoint),
  }
}
