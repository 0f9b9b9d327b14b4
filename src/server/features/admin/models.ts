import type { Contract } from '../../../contract/contract.ts'
import type { Entity, Lookup } from '../../../contract/generated.ts'
import { problem } from '../../core/problems.ts'

/** The entities of the lists that administrators maintain, by name; most names are kinds of the table lookup. */
type Models = Record<string, Entity>

/** The list of files; all the others are lookups. */
export const FILES = 'file'

const cache = new WeakMap<Contract, Models>()

/** All lists that administrators maintain, in the order of schemas/lookups.json; the files last. */
export function modelsOf(contract: Contract): Models {
  const models = cache.get(contract) ?? buildModels(contract)
  cache.set(contract, models)
  return models
}

function buildModels(contract: Contract): Models {
  const editable = Object.entries(contract.lookups).filter(([, { from, item }]) => !from || item)
  const lookups = editable.map(([name, lookup]) => [name, itemOf(contract, name, lookup)])
  return { ...Object.fromEntries(lookups), [FILES]: contract.entities.managedFile }
}

/** The entity of a list; throws a 404 if there is none of that name. */
export function modelOf(contract: Contract, type: string): Entity {
  const models = modelsOf(contract)
  if (!Object.hasOwn(models, type)) throw problem('notFound')
  return models[type]
}

/** The entity for a new item, which must have its file in the list of files. */
export function asNew(model: Entity): Entity {
  const isFile = model.$id === 'managedFile'
  return isFile ? { ...model, required: [...(model.required ?? []), 'file'] } : model
}

/** The entity of a lookup's items: the common properties, with those of the lookup after the label. */
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
