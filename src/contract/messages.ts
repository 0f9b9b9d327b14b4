import { MAX_INTEGER } from './limits.ts'
import { MAX_DURATION } from './numberTypes.ts'
import { pluralise } from './pluralise.ts'
import type { FieldSchema } from './typeFacts.ts'
import type { SchemaError } from './validateAnswers.ts'

type MessageMaker = (label: string, limit: unknown, schema: FieldSchema) => string

const MESSAGES: Record<string, MessageMaker> = {
  required: unanswered,
  minItems: (label, limit, schema) =>
    Number(limit) > 1 ? `${label} must have at least ${limit}` : unanswered(label, limit, schema),
  maxItems: (label, limit) => `${label} must have at most ${limit}`,
  maxLength: (label, limit) =>
    `${label} must be ${Number(limit).toLocaleString('en-GB')} characters or fewer`,
  minLength: unanswered,
  minimum: (label, limit) => `${label} must be ${limit} or more`,
  maximum: (label, limit) => `${label} must be ${limit} or less`,
  enum: (label) => `${label} must be one of the choices`,
  uniqueItems: (label) => `${label} must not name the same choice twice`,
  format: (label, limit) =>
    limit === 'date-time' ? `${label} must be a real date and time` : `${label} must be a real date`,
  type: (label, limit) => `${label} must be ${KINDS[String(limit)] ?? 'of another kind'}`,
  pattern: (label, limit, schema) =>
    limit === '\\S' ? unanswered(label, limit, schema) : `${label} is not in the right form`,
  matches: (label, _, { example }) => `${label} must be like ${example}`,
  additionalProperties: (label) => `${label} is not asked here`,
}

const KINDS: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'a group of values',
}

/** The message of a schema error, with the field's label. */
export function messageFor({ keyword, limit, path }: SchemaError, schema: FieldSchema): string {
  const label = schema.title ?? path.split('.').at(-1) ?? path
  // Durations are stored in seconds but typed as hours and minutes.
  if (schema.maximum === MAX_DURATION && keyword !== 'required')
    return `${label} must be a time such as 1:30, at most 99:59`
  if (schema.mustBe && ['pattern', 'type', 'enum'].includes(keyword))
    return `${label} must be ${schema.mustBe}`
  if (schema.isCounted && ['minItems', 'maxItems', 'required'].includes(keyword))
    return `${label} must have ${pluralise(Number(schema.minItems), 'row')}, as many as the form asks for`
  return (MESSAGES[keyword] ?? ((l: string) => `${l} is not valid`))(label, limit, schema)
}

/** Matches labels that are questions or parts of sentences, which cannot follow 'Choose' or 'Enter'. */
const NOT_A_NOUN =
  /\?$|^(who|what|which|why|how|when|where|is|are|was|were|does|do|did|has|have|had|can|lacks|objects|eligible|arranged|done|due|from|to)\b|\s(is|are|was|were|by|on|in|to|from|with)$/i

/** Message for a required field without an answer: its own text, or one made from its label. */
function unanswered(label: string, _: unknown, schema: FieldSchema): string {
  if (schema.requiredText) return schema.requiredText
  return NOT_A_NOUN.test(label) ? `Answer “${label}”` : `${verb(schema)} ${lower(label)}`
}

function verb(schema: FieldSchema): string {
  return schema.enum ||
    schema.type === 'array' ||
    (schema.type === 'integer' && schema.maximum === MAX_INTEGER && schema.minimum === 1)
    ? 'Choose'
    : 'Enter'
}

/** A label for use inside a sentence: with a small first letter unless it begins with an abbreviation. */
export function lower(label: string): string {
  return /^[A-Z][A-Z]/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}
