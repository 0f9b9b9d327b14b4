import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { format } from '@cfworker/json-schema'
import type { RJSFSchema } from '@rjsf/utils'
import { customizeValidator } from '@rjsf/validator-ajv8'
import { beforeAll, describe, expect, it } from 'vitest'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import { messageFor } from '../../src/contract/messages.ts'
import { toSchema } from '../../src/contract/schema.ts'
import type { FieldSchema } from '../../src/contract/typeFacts.ts'
import {
  type SchemaError,
  type SchemaValidator,
  schemaAt,
  validateAnswers,
} from '../../src/contract/validateAnswers.ts'
import { visible } from '../../src/contract/visible.ts'
import type { Values } from '../../src/contract/when.ts'
import { loadPatterns } from '../../src/engine/form/store/patternErrors.ts'
import { validateSchema as browserCheck } from '../../src/engine/form/store/validateSchema.ts'
import { ajvValidate as serverCheck } from '../../src/server/core/ajvValidate.ts'
import { FULL } from '../full.ts'
import { type Document, documents } from './agreeDocuments.ts'
import { forms } from './agreeForms.ts'

const COUNT = FULL ? 10_000 : 800
/** Times COUNT, after which no more documents are tried. */
const MOST = 4
const SEED = 2032
const today = '2026-03-15'
const KEYWORDS = [
  'required',
  'additionalProperties',
  'type',
  'enum',
  'format',
  'pattern',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'matches',
]
const RULES: Record<string, string> = {
  not_future: 'must be today or in the past',
  after: 'must not be before',
  nhs_number: 'is not a valid NHS number',
  email: 'must be like',
}

// The engine's own keys, and its notion of a time: that of ajv-formats is wider than the standard.
const reference = customizeValidator({
  ajvOptionsOverrides: { ownProperties: true, verbose: false },
  customFormats: { 'date-time': format['date-time'] },
})
const known = new Map<string, FieldSchema>()

/** Whether rjsf's own validator takes a value; it keeps what it compiled by the schema's identity. */
function isValid(schema: FieldSchema, value: Values): boolean {
  const text = JSON.stringify(schema)
  if (!known.has(text)) known.set(text, schema)
  const { errors = [], validationError } = reference.rawValidation(known.get(text) as RJSFSchema, value)
  if (validationError) throw validationError
  return errors.length === 0
}

/** Schema errors as sorted lines of path, keyword and message. */
function linesOf(schemaErrors: SchemaError[], schema: FieldSchema): string[] {
  return schemaErrors.map((c) => `${c.path} ${c.keyword}: ${messageFor(c, schemaAt(schema, c.path))}`).sort()
}

/** The results of one side: schema errors, validation errors, and the changes of a new record. */
function sideOf(validateSchema: SchemaValidator, schema: FieldSchema, { groups, answers }: Document) {
  const conditionContext = { with: { client: { postcode: answers.text } }, withDefaults: true }
  const changes = { groups, stored: {}, sent: answers, conditionContext, today, all: true }
  const schemaErrors = validateSchema(schema, answers)
  return {
    schemaErrors,
    lines: linesOf(schemaErrors, schema),
    errors: validateAnswers(schema, answers, validateSchema, today),
    applied: applyChanges({ ...changes, validateSchema }),
  }
}

type Side = ReturnType<typeof sideOf>

/** The differences of two sides, without the answers, which can be long. */
function differences(server: Side, browser: Side, accepted: boolean): string[] {
  const only = (who: string, one: Side, other: Side) =>
    one.lines.filter((line) => !other.lines.includes(line)).map((line) => `only the ${who}: ${line}`)
  const same = (part: 'lines' | 'errors' | 'applied') => isDeepStrictEqual(server[part], browser[part])
  return [
    ...only('server', server, browser),
    ...only('browser', browser, server),
    ...(['lines', 'errors', 'applied'] as const).filter((part) => !same(part)),
    // What is no keyword of JSON Schema is nothing to rjsf.
    ...(accepted === server.schemaErrors.every(({ keyword }) => keyword === 'matches')
      ? []
      : [`rjsf ${accepted ? 'accepts' : 'refuses'}`]),
  ]
}

describe(`the browser, the server and rjsf's validator on ${COUNT} generated documents`, () => {
  beforeAll(loadPatterns)
  const all = forms(path.join(import.meta.dirname, '../..'))
  const seen = new Map<string, number>()
  const count = (kind: string) => seen.set(kind, (seen.get(kind) ?? 0) + 1)
  const kinds = [...KEYWORDS, ...Object.keys(RULES)]
  const rare = (names: string[]) => names.filter((name) => (seen.get(name) ?? 0) < COUNT / 500)
  let tried = 0

  it('agree on every error', { timeout: 300_000 }, () => {
    const disagreements: object[] = []
    // Which errors are rare changes with every form, so that more documents are tried until each kind has occurred.
    for (const document of documents(all, MOST * COUNT, SEED)) {
      if (tried >= COUNT && rare(kinds).length === 0) break
      tried += 1
      const { name, groups, answers } = document
      const schema = toSchema(visible(groups, { answers }), { answers })
      const server = sideOf(serverCheck, schema, document)
      const found = differences(server, sideOf(browserCheck, schema, document), isValid(schema, answers))
      if (found.length > 0) disagreements.push({ name, found, answers })
      count(document.from)
      const messages = Object.values(server.errors).flat()
      if (server.schemaErrors.length + messages.length === 0) count('none')
      for (const keyword of new Set(server.schemaErrors.map((c) => c.keyword))) count(keyword)
      for (const [rule, words] of Object.entries(RULES)) {
        if (messages.some((message) => message.includes(words))) count(rule)
      }
    }
    expect(disagreements.slice(0, 5)).toEqual([])
  })

  it('cover every form, every kind of error, and documents without errors', () => {
    const names = all.map(({ from }) => from)
    expect(seen.get('none')).toBeGreaterThan(tried * 0.25)
    expect(seen.get('none')).toBeLessThan(tried * 0.75)
    expect(rare([...kinds, ...names])).toEqual([])
    expect([...seen.keys()].filter((key) => ![...kinds, ...names, 'none'].includes(key))).toEqual([])
  })
})
