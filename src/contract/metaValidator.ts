import { Ajv, type AnySchema, type ErrorObject } from 'ajv'
import type { Contract } from './contract.ts'
import { locate, type Problem } from './locate.ts'
import { namesSchema } from './names.ts'
import { readFolder, type Source } from './read.ts'
import { suggest } from './suggest.ts'

/** Judges files by the meta-schemas of schemas/meta; names are those of the contract at hand, not of the generated file. */
export function metaValidator(root: string, contract: Contract): (meta: string, source: Source) => Problem[] {
  const problems: Problem[] = []
  const metas = readFolder(root, 'schemas/meta', problems).filter(({ name }) => name !== 'names')
  const ajv = compiled([...metas.map(({ data }) => data), namesSchema(contract)])
  return (meta, source) => {
    if (ajv.validate(meta, source.data)) return problems
    return dedupe((ajv.errors ?? []).filter(isTelling).map((error) => problemOf(error, source)))
  }
}

let last: { key: string; ajv: Ajv } | undefined

/** Compiling takes most of the time of a check, and `npm run dev` checks the same schemas at every save. */
function compiled(schemas: unknown[]): Ajv {
  const key = JSON.stringify(schemas)
  if (last?.key !== key) {
    const ajv = new Ajv({ allErrors: true, strict: false, verbose: true, discriminator: true })
    for (const schema of schemas) ajv.addSchema(schema as AnySchema)
    last = { key, ajv }
  }
  return last.ajv
}

const isTelling = ({ keyword }: ErrorObject) => !['anyOf', 'oneOf', 'if', 'propertyNames'].includes(keyword)

function problemOf(error: ErrorObject, source: Source): Problem {
  const path = error.instancePath.split('/').slice(1).map(unescapePart)
  const extra = error.params.additionalProperty as string | undefined
  const known = error.params.allowedValues as string[] | undefined
  const at = locate(source.text, extra === undefined ? path : [...path, extra], extra !== undefined)
  return { file: source.file, ...at, message: messageOf(error, extra, known) }
}

function messageOf(error: ErrorObject, extra: string | undefined, known: string[] | undefined): string {
  if (extra !== undefined) {
    const keys = Object.keys((error.parentSchema?.properties as object | undefined) ?? {})
    return `no key '${extra}' here${suggest(extra, keys)}`
  }
  if (known && typeof error.data === 'string') {
    const near = suggest(error.data, known)
    return `no such name '${error.data}'${near || `; one of ${known.slice(0, 12).join(', ')}`}`
  }
  return error.message ?? error.keyword
}

function unescapePart(part: string): string | number {
  const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
  return /^\d+$/.test(key) ? Number(key) : key
}

/** One problem a place: branches of a choice complain each about the same word. */
function dedupe(problems: Problem[]): Problem[] {
  const seen = new Map<string, Problem>()
  for (const p of problems) {
    const place = `${p.line}:${p.column}`
    const before = seen.get(place)
    if (!before || (!before.message.includes('did you mean') && p.message.includes('did you mean')))
      seen.set(place, p)
  }
  return [...seen.values()]
}
