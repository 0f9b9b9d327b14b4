import { Ajv, type ValidateFunction } from 'ajv'
import type { FieldErrors } from '../contract/judge.ts'
import { loadContract } from '../contract/load.ts'
import { namesSchema } from '../contract/names.ts'
import { readFolder } from '../contract/read.ts'
import { rootFolder } from './rootFolder.ts'

let validate: ValidateFunction | undefined

/** What the meta-schema of groups has against metas that somebody sent, by dotted path. */
export function judgeMetaShape(metas: Record<string, unknown>): FieldErrors {
  validate ??= compile()
  const errors: FieldErrors = {}
  for (const [which, groups] of Object.entries(metas)) {
    if (validate(groups)) continue
    for (const { instancePath, keyword, message, params } of validate.errors ?? []) {
      if (keyword === 'anyOf') continue
      const path = [which, ...instancePath.split('/').slice(1)].join('.')
      const extra = params.additionalProperty ? ` '${params.additionalProperty}'` : ''
      errors[path] ??= [`${message}${extra}`]
    }
  }
  return errors
}

function compile(): ValidateFunction {
  const root = rootFolder()
  const ajv = new Ajv({ strict: false, allErrors: true, ownProperties: true })
  for (const { name, data } of readFolder(root, 'schemas/meta', [])) {
    if (['when', 'groups'].includes(name)) ajv.addSchema(data)
  }
  ajv.addSchema(namesSchema(loadContract(root).contract))
  return ajv.getSchema('meta/groups.json')!
}
