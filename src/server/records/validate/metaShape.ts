import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { namesSchema } from '../../../check/files/names.ts'
import { readFolder } from '../../../check/files/read.ts'
import type { Contract } from '../../../contract/contract.ts'
import type { FormTest } from '../../../contract/generated.ts'
import { joinWords } from '../../../contract/quoted.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { rootFolder } from '../../core/rootFolder.ts'

/** Keywords that an unfinished draft may violate. */
const COMPLETENESS_KEYWORDS = ['minLength', 'minItems', 'minProperties', 'pattern', 'enum']
/** Maximum length of a text in a draft whose pattern or enum is removed. */
const MAX_DRAFT_LENGTH = 200

/** The same schema compiled twice: to find all errors, and to stop at the first. */
interface CompiledSchemas {
  all: ValidateFunction
  first: ValidateFunction
}
type Validators = Record<
  'whole' | 'draft' | 'tests' | 'automations' | 'automationsDraft' | 'deadlines' | 'deadlinesDraft',
  CompiledSchemas
>

/** Maximum number of values in a form for which all errors are found: a hostile one could have a million errors. */
const MAX_VALUES = 20_000
const MAX_ERRORS = 200

/** Cached by entities, which a reload of schemas/ replaces: the meta-schema of groups contains their names. */
const compiled = new WeakMap<Contract['entities'], Validators>()

/** Validates metas to be published by the meta-schema of groups; errors are by dotted path. */
export function validateMetaShape(contract: Contract, metas: Record<string, unknown>): FieldErrors {
  return validateWith(validatorsOf(contract).whole, metas)
}

/**
 * Validates metas of a draft, which may be incomplete but must have valid structure and bounds; errors are by dotted
 * path.
 */
export function validateDraftShape(contract: Contract, metas: Record<string, unknown>): FieldErrors {
  return validateWith(validatorsOf(contract).draft, metas)
}

/** Validates form tests by their meta-schema and that their names are unique; errors are by dotted path. */
export function validateTestsShape(contract: Contract, tests: unknown): FieldErrors {
  const errors = validateWith(validatorsOf(contract).tests, { tests })
  if (Object.keys(errors).length > 0) return errors
  const names = (tests as FormTest[]).map(({ name }) => name.trim())
  const duplicates = names.flatMap((name, i) => (names.indexOf(name) < i ? [i] : []))
  return Object.fromEntries(duplicates.map((i) => [`tests.${i}.name`, ['Another test has this name']]))
}

/** Validates automations by their meta-schema; errors are by dotted path. */
export function validateAutomationsShape(contract: Contract, automations: unknown): FieldErrors {
  return validateWith(validatorsOf(contract).automations, { automations })
}

/** Validates automations of a draft, which may be incomplete; errors are by dotted path. */
export function validateAutomationsDraft(contract: Contract, automations: unknown): FieldErrors {
  return validateWith(validatorsOf(contract).automationsDraft, { automations })
}

/** Validates deadlines by their meta-schema; errors are by dotted path. */
export function validateDeadlinesShape(contract: Contract, deadlines: unknown): FieldErrors {
  return validateWith(validatorsOf(contract).deadlines, { deadlines })
}

/** Validates deadlines of a draft, which may be incomplete; errors are by dotted path. */
export function validateDeadlinesDraft(contract: Contract, deadlines: unknown): FieldErrors {
  return validateWith(validatorsOf(contract).deadlinesDraft, { deadlines })
}

function validateWith({ all, first }: CompiledSchemas, metas: Record<string, unknown>): FieldErrors {
  const errors: FieldErrors = {}
  for (const [which, groups] of Object.entries(metas)) {
    if (first(groups)) continue
    const isLarge = valuesIn(groups, MAX_VALUES) >= MAX_VALUES
    if (!isLarge) all(groups)
    const found = (isLarge ? first : all).errors ?? []
    for (const error of found.filter(({ keyword }) => keyword !== 'anyOf').slice(0, MAX_ERRORS)) {
      const path = [which, ...error.instancePath.split('/').slice(1)].join('.')
      errors[path] ??= [wordsOf(error)]
    }
  }
  return errors
}

/** Number of values nested in a value, counted up to a limit. */
function valuesIn(value: unknown, limit: number): number {
  if (value === null || typeof value !== 'object') return 1
  let count = 1
  for (const key in value) {
    if (count >= limit) break
    count += valuesIn((value as Record<string, unknown>)[key], limit - count)
  }
  return count
}

const TYPES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}
const WORDS: Record<string, (params: Record<string, unknown>) => string> = {
  type: ({ type }) => `must be ${listed([type].flat().map((one) => TYPES[String(one)]))}`,
  required: ({ missingProperty }) => `lacks '${missingProperty}'`,
  additionalProperties: ({ additionalProperty }) => `has '${additionalProperty}', which is not known here`,
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  maxItems: ({ limit }) => `must have at most ${limit} entries`,
  maxProperties: ({ limit }) => `must have at most ${limit} entries`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  enum: ({ allowedValues }) => `must be ${listed((allowedValues as unknown[]).map(String))}`,
  minLength: () => 'must not be empty',
  minItems: () => 'must not be empty',
  minProperties: () => 'must not be empty',
  pattern: () => 'is not written in the right form',
  propertyNames: ({ propertyName }) => `has '${propertyName}', which cannot be a name`,
}
/** Maximum number of words that a message lists. */
const MAX_LISTED = 20

function wordsOf({ keyword, message, params }: ErrorObject): string {
  return Object.hasOwn(WORDS, keyword) ? WORDS[keyword](params) : (message ?? 'is not right')
}

function listed(words: string[]): string {
  const some = words.length > MAX_LISTED ? [...words.slice(0, MAX_LISTED), 'another known one'] : words
  return joinWords(some, 'or')
}

function validatorsOf(contract: Contract): Validators {
  const known = compiled.get(contract.entities)
  if (known) return known
  const read = readFolder(rootFolder(), 'schemas/meta', []).filter(({ name }) =>
    ['when', 'groups', 'formTests', 'automations', 'deadlines'].includes(name),
  )
  const schemas = [...read.map(({ data }) => data as object), namesSchema(contract)]
  const validators = {
    whole: compile(schemas, 'groups'),
    draft: compile(schemas.map(draftSchema), 'groups'),
    tests: compile(schemas, 'formTests'),
    automations: compile(schemas, 'automations'),
    automationsDraft: compile(schemas.map(draftSchema), 'automations'),
    deadlines: compile(schemas, 'deadlines'),
    deadlinesDraft: compile(schemas.map(draftSchema), 'deadlines'),
  }
  compiled.set(contract.entities, validators)
  return validators
}

function compile(
  schemas: object[],
  name: 'groups' | 'formTests' | 'automations' | 'deadlines',
): CompiledSchemas {
  const [all, first] = [true, false].map((allErrors) => {
    const ajv = new Ajv({ strict: false, allErrors, ownProperties: true })
    for (const schema of schemas) ajv.addSchema(schema)
    return ajv.getSchema(`meta/${name}.json`)!
  })
  return { all, first }
}

/**
 * A meta-schema for drafts: structure, known keys and bounds stay, but texts, lists and conditions may be empty or
 * incomplete, and a lookup not yet chosen. Types and the names of groups and fields, which nobody types, stay strict.
 */
function draftSchema(schema: object): object {
  const draft = relaxed(schema) as { $defs?: object }
  const { name, fieldType } = ('$defs' in schema ? schema.$defs : {}) as Record<string, object>
  const strict = { ...(name && { name }), ...(fieldType && { fieldType }) }
  return { ...draft, ...(draft.$defs && { $defs: { ...draft.$defs, ...strict } }) }
}

function relaxed(at: unknown): unknown {
  if (Array.isArray(at)) return at.map(relaxed)
  if (at === null || typeof at !== 'object') return at
  const entries = Object.entries(at).filter(([key]) => !COMPLETENESS_KEYWORDS.includes(key))
  const bound = 'pattern' in at || 'enum' in at ? { maxLength: MAX_DRAFT_LENGTH } : {}
  const inside = entries.map(([key, value]) => [
    key,
    key === 'properties' ? relaxedEach(value) : relaxed(value),
  ])
  return { ...bound, ...Object.fromEntries(inside) }
}

/** Relaxes the schemas in `properties`, whose keys are property names (one is 'pattern') and no keywords. */
function relaxedEach(properties: object): object {
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, relaxed(one)]))
}
