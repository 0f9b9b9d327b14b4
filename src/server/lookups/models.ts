import type { Contract } from '../../contract/contract.ts'
import type { Entity, Lookup } from '../../contract/generated.ts'
import { problem } from '../problems.ts'

/** Lists that administrators keep, by name: a kind of the table lookup, and what an item of it is. */
type Models = Record<string, Entity>

/** The list of files; all the others are lookups. */
export const FILES = 'file'

const known = new WeakMap<Contract, Models>()

/** Every list that is kept in the table, in the order of schemas/lookups.json; the files last. */
export function modelsOf(contract: Contract): Models {
  const models = known.get(contract) ?? madeOf(contract)
  known.set(contract, models)
  return models
}

function madeOf(contract: Contract): Models {
  const editable = Object.entries(contract.lookups).filter(([, { from, item }]) => !from || item)
  const lookups = editable.map(([name, lookup]) => [name, itemOf(contract, name, lookup)])
  return { ...Object.fromEntries(lookups), [FILES]: contract.entities.managedFile }
}

/** The list of a name; throws the 404 where there is none. */
export function modelOf(contract: Contract, type: string): Entity {
  const models = modelsOf(contract)
  if (!Object.hasOwn(models, type)) throw problem('notFound')
  return models[type]
}

/** What a new item of a list must have: a file that is not there could not be looked at. */
export function asNew(model: Entity): Entity {
  const isFile = model.$id === 'managedFile'
  return isFile ? { ...model, required: [...(model.required ?? []), 'file'] } : model
}

/** What an item of a lookup is: what every item has, with its own between the label and the rest. */
function itemOf({ entities }: Contract, name: string, { title, item = {}, needs }: Lookup): Entity {
  const { lookupItem } = entities
  const { id, version, label, ...rest } = lookupItem.properties
  return {
    ...lookupItem,
    $id: `lookup.${name}`,
    title,
    required: [...lookupItem.required!, ...(needs ? [needs] : [])],
    properties: { id, version, label, ...item, ...rest },
  }
}
