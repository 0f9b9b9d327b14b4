import { hasChoices } from '../../contract/fieldTypes.ts'
import type { Field, Group, Option } from '../../contract/generated.ts'
import { offersSame } from '../../contract/matrix.ts'
import { placesOf } from '../../contract/meta/places.ts'
import { type Address, fieldAt } from '../state/address.ts'
import { setAttrs } from '../state/edit.ts'

/** Addresses of the questions that offer the same choices as the one at an address, with it, in their order. */
export function sameChoices(groups: Group[], address: Address): Address[] {
  const field = fieldAt(groups, address)
  if (!field?.attrs?.options?.length) return []
  return placesOf(groups).flatMap(({ field: other, group, repeats }) =>
    hasChoices(other) && other.attrs?.options && offersSame(field, other)
      ? [[group, ...repeats, other].map(({ name }) => name)]
      : [],
  )
}

/** Weights as they are typed, by the address of a question and the value of a choice. */
export type Weights = Map<string, string>

export function weightKey(address: Address, { value }: Option): string {
  return JSON.stringify([address, value])
}

/** The form with the weights of the choices of some questions. */
export function withWeights(groups: Group[], addresses: Address[], weights: Weights): Group[] {
  return addresses.reduce((form, address) => {
    const { options = [] } = (fieldAt(form, address) as Field).attrs ?? {}
    const weighed = options.map((option) => {
      const typed = weights.get(weightKey(address, option))
      const { weight: _, ...bare } = option
      return typed === undefined ? option : typed.trim() === '' ? bare : { ...bare, weight: Number(typed) }
    })
    return setAttrs(form, address, { options: weighed })
  }, groups)
}
