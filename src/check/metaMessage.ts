import type { ErrorObject } from 'ajv'
import { VERBS } from '../contract/call.ts'
import { CELLS } from '../contract/generatedNames.ts'
import { joinWords } from '../contract/quoted.ts'
import { suggest } from '../contract/suggest.ts'
import { DOES } from './files/names.ts'
import { PLACEHOLDER } from './refusePlaceholders.ts'

/** Names that a message lists at most, if none is near to the wrong one. */
const LISTED = 12

const TYPES: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
}

/** What an author has to change, for an error of a meta-schema. */
export function metaMessage(error: ErrorObject): string {
  const { keyword, params, data, schema } = error
  switch (keyword) {
    case 'additionalProperties': {
      const keys = Object.keys((error.parentSchema?.properties as object | undefined) ?? {})
      return `no key '${params.additionalProperty}' here${suggest(params.additionalProperty, keys)}`
    }
    case 'dependencies':
      return `'${params.property}' needs '${params.missingProperty}' beside it`
    case 'required':
      return `'${params.missingProperty}' is missing`
    case 'enum':
      return unknownName(data, params.allowedValues, schema === CELLS)
    case 'type':
      return `must be ${joinWords(
        [params.type].flat().map((type: string) => TYPES[type]),
        'or',
      )}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'pattern':
      return schema === DOES ? unknownOperation(String(data)) : unlike(error)
    case 'not':
      return `'${PLACEHOLDER.exec(String(data))}' is not replaced in this text: leave it out`
    case 'minItems':
    case 'minProperties':
      return `needs at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`
    case 'maxItems':
    case 'maxProperties':
      return `can have at most ${params.limit} entries`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    default:
      return error.message ?? keyword
  }
}

function unknownName(data: unknown, known: unknown[], areCells: boolean): string {
  const names = known.map(String)
  const listed = `${names.slice(0, LISTED).join(', ')}${names.length > LISTED ? ', …' : ''}`
  if (typeof data !== 'string') return `must be one of ${listed}`
  const near = suggest(data, names) || `; one of ${listed}`
  // The names of cells are read from the code when they are generated.
  return `no such name '${data}'${near}${areCells ? "; if it is new, run 'npm run generate'" : ''}`
}

/** The `does` of a call has a shape of its own, which decides what was probably meant. */
function unknownOperation(does: string): string {
  const [verb, ...entity] = does.split(' ')
  const verbs = Object.keys(VERBS)
  if (entity.length > 0 && !verbs.includes(verb)) {
    return `'${verb}' is not a verb${suggest(verb, verbs) || `; one of ${verbs.join(', ')}`}`
  }
  return `'${does}' is neither a verb with an entity ('list client') nor a handler ('issues.close')`
}

function unlike({ data, propertyName, schema, parentSchema }: ErrorObject): string {
  const [example] = (parentSchema?.examples as string[] | undefined) ?? []
  return `'${propertyName ?? data}' must ${example ? `look like '${example}'` : `match ${schema}`}`
}
