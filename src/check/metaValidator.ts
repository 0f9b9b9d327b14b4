import path from 'node:path'
import { Ajv, type ErrorObject } from 'ajv'
import type { Contract } from '../contract/contract.ts'
import { locate, type Problem } from '../contract/locate.ts'
import { namesSchema } from './files/names.ts'
import { readFolder, type Source } from './files/read.ts'
import { metaMessage } from './metaMessage.ts'
import { refusePlaceholders } from './refusePlaceholders.ts'

/**
 * Validates files against the meta-schemas of schemas/meta; names are those of `contract`, not of the generated file.
 */
export function metaValidator(root: string, contract: Contract): (meta: string, source: Source) => Problem[] {
  const metas = readFolder(root, 'schemas/meta', []).filter(({ name }) => name !== 'names')
  const validator = compiled([...metas.map(({ data }) => data), namesSchema(contract)])
  return (meta, source) => {
    const errors = errorsOf(validator, meta, source.data)
    const problems = errors
      .filter((error) => !errors.some((other) => isMisspelt(error, other)))
      .map((error) => ({ file: source.file, ...placeOf(error, source), message: metaMessage(error) }))
    return [...schemaLineProblem(meta, source), ...problems].sort(byPlace)
  }
}

/** True if a missing key is there with a misspelt name, which another error reports. */
function isMisspelt({ keyword, instancePath, params }: ErrorObject, other: ErrorObject): boolean {
  return (
    keyword === 'required' &&
    other.keyword === 'additionalProperties' &&
    other.instancePath === instancePath &&
    metaMessage(other).endsWith(`did you mean '${params.missingProperty}'?`)
  )
}

const byPlace = (a: Problem, b: Problem) => a.line - b.line || a.column - b.column

interface Validator {
  ajv: Ajv
  /** Address of each part of the meta-schemas, such as `meta/when.json#/$defs/test`. */
  addresses: Map<unknown, string>
}
let last: { key: string; validator: Validator } | undefined

/** Compiling takes most of the time of a check, and `npm run dev` checks the same schemas at every save. */
function compiled(schemas: { $id?: unknown }[]): Validator {
  const key = JSON.stringify(schemas)
  if (last?.key !== key) {
    const ajv = new Ajv({ allErrors: true, strict: false, verbose: true, discriminator: true })
    const addresses = new Map<unknown, string>()
    for (const schema of schemas.map(refusePlaceholders)) {
      ajv.addSchema(schema)
      addAddresses(schema, `${schema.$id}#`, addresses)
    }
    last = { key, validator: { ajv, addresses } }
  }
  return last.validator
}

function addAddresses(schema: unknown, address: string, addresses: Map<unknown, string>): void {
  if (schema === null || typeof schema !== 'object') return
  addresses.set(schema, address)
  for (const [key, part] of Object.entries(schema)) {
    const escaped = encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
    addAddresses(part, `${address}/${escaped}`, addresses)
  }
}

/** Keywords whose errors only repeat that one of their parts has an error. */
const SUMMARIES = ['oneOf', 'if', 'propertyNames', 'discriminator']

/** The errors of a value; of a union only those of the alternative that was probably meant. */
function errorsOf(validator: Validator, address: string, data: unknown): ErrorObject[] {
  const { ajv, addresses } = validator
  if (ajv.validate(address, data)) return []
  let errors = (ajv.errors ?? []).filter(({ keyword }) => !SUMMARIES.includes(keyword))
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf').reverse()
  for (const union of unions) {
    // An outer union has replaced this one, which is within it.
    if (!errors.includes(union)) continue
    const place = union.instancePath
    const isWithin = ({ instancePath }: ErrorObject) => `${instancePath}/`.startsWith(`${place}/`)
    const alternatives = (union.schema as unknown[]).map((schema) =>
      errorsOf(validator, addresses.get(schema)!, union.data).map((error) => ({
        ...error,
        instancePath: place + error.instancePath,
      })),
    )
    errors = [...errors.filter((error) => !isWithin(error)), ...meant(alternatives, union)]
  }
  return errors
}

/** The errors of the alternative nearest to a value; one error with all types if none accepts its type. */
function meant(alternatives: ErrorObject[][], union: ErrorObject): ErrorObject[] {
  const isWrongType = (error: ErrorObject) =>
    error.instancePath === union.instancePath &&
    (error.keyword === 'type' || (error.keyword === 'enum' && typeof error.data !== 'string'))
  const rank = (errors: ErrorObject[]) =>
    errors.filter(({ instancePath }) => instancePath === union.instancePath).length * 100 + errors.length
  const possible = alternatives.filter((errors) => !errors.some(isWrongType))
  const [best] = possible.sort((a, b) => rank(a) - rank(b))
  if (best) return best
  const types = alternatives
    .flat()
    .flatMap(({ keyword, params }) => (keyword === 'type' ? params.type : 'string'))
  return [{ ...union, keyword: 'type', params: { type: [...new Set(types.flat())] } }]
}

function pathOf(error: ErrorObject): (string | number)[] {
  const own = error.instancePath.split('/').slice(1).map(unescapePart)
  const key = error.params.additionalProperty ?? error.propertyName ?? keyThatNeeds(error)
  return key === undefined ? own : [...own, key]
}

/** The key of an object that needs another one, which is missing. */
function keyThatNeeds({ keyword, params }: ErrorObject): string | undefined {
  return keyword === 'dependencies' ? params.property : undefined
}

function placeOf(error: ErrorObject, { text }: Source) {
  const isKey =
    error.params.additionalProperty !== undefined ||
    error.propertyName !== undefined ||
    keyThatNeeds(error) !== undefined
  return locate(text, pathOf(error), isKey)
}

function unescapePart(part: string): string | number {
  const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
  return /^\d+$/.test(key) ? Number(key) : key
}

/** Without its meta-schema an editor completes and explains nothing. */
function schemaLineProblem(meta: string, { file, text, data }: Source): Problem[] {
  const right = path.posix.relative(path.posix.dirname(file), `schemas/${meta}`)
  if (data.$schema === undefined || data.$schema === right) return []
  return [{ file, ...locate(text, ['$schema']), message: `the path of the meta-schema is '${right}'` }]
}
