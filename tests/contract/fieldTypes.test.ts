import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { asAnswer } from '../../src/contract/calculate.ts'
import { compareKey, FIELD_TYPES, normaliseValue } from '../../src/contract/fieldTypes.ts'
import type { Field, FieldType } from '../../src/contract/generated.ts'
import { toSchema } from '../../src/contract/schema.ts'
import type { TypeFacts } from '../../src/contract/typeFacts.ts'
import { validateAnswers } from '../../src/contract/validateAnswers.ts'
import { validateSchema } from '../../src/engine/form/store/validateSchema.ts'

const TYPES = Object.entries(FIELD_TYPES) as [FieldType, TypeFacts][]

/** A field of each type, with choices if it needs them. */
function fieldOfType(type: FieldType): Field {
  const options = ['red', 'green', 'blue'].map((value) => ({ value, label: value }))
  return { name: 'one', label: 'One', type, attrs: FIELD_TYPES[type].choices ? { options } : {} }
}

describe.each(TYPES)('the entry of the field type %s', (type, facts) => {
  const field = fieldOfType(type)

  it('has an example, unless its value is a file or rows or it has none', () => {
    const hasNone = facts.holdsFile !== undefined || facts.holdsRows === true || facts.asksNothing === true
    expect(facts.example === undefined).toBe(hasNone)
  })

  it('is compared with literals wherever conditions compare it', () => {
    if (facts.compares) expect(facts.literal).toBeDefined()
    if (facts.isWhole || facts.decimal) expect(facts.literal!.type).toBe('number')
  })

  it('is searched as a type whose schema takes its values', () => {
    const searched = facts.searchesAs ?? type
    expect(FIELD_TYPES[searched].searchesAs).toBe(undefined)
    if (facts.searchesAs) expect(FIELD_TYPES[searched].compares).toBe(facts.searches ?? facts.compares)
  })

  it('stores results of the kind that calculations take it as', () => {
    if (!facts.results || facts.results.join() === 'any') return
    expect(facts.results).toContain(facts.calculates)
    expect(asAnswer(field, facts.example)).toEqual(facts.example)
  })

  it('is in spreadsheets unless a cell cannot hold its value', () => {
    const isTooMuch = facts.holdsFile !== undefined || facts.holdsRows === true || facts.asksNothing === true
    expect(facts.sheet.kind === 'none').toBe(isTooMuch)
  })

  it('has one kind of value', () => {
    const { asksNothing, holdsRows, holdsFile, parts, choices, ownChoices, points, decimal, calendar } = facts
    const kinds = [asksNothing, holdsRows, holdsFile, parts, choices, ownChoices, points, decimal, calendar]
    expect(kinds.filter(Boolean).length).toBeLessThanOrEqual(1)
  })
})

describe.each(TYPES.filter(([, { example }]) => example !== undefined))(
  'the example of the field type %s',
  (type, { example, words }) => {
    const field = fieldOfType(type)

    it('is valid, and has words', () => {
      const schema = toSchema([{ name: 'g', label: 'G', fields: [field] }], {})
      expect(validateAnswers(schema, { one: example }, validateSchema, '2026-06-04')).toEqual({})
      expect(words?.(example, field)).not.toBe('')
    })

    it('stays as it is once it has the form in which it is stored', () => {
      const stored = normaliseValue(field, example)
      expect(normaliseValue(field, stored)).toEqual(stored)
      expect(compareKey(field, stored)).toEqual(compareKey(field, example))
    })
  },
)

/** Files that may name a type, and why. */
const MAY_NAME: Record<string, string> = {
  'contract/entity.ts': 'derives the type of a property that does not name one',
  'contract/deadlines/deadlinePaths.ts': 'a deadline counts whole days, which only one type has',
  'contract/meta/fieldUsage.ts': 'the fields that lists and reports read, with their types',
  'engine/preview/fields.ts': 'settings of the fields of the preview; a type needs none',
  'server/ops/demo/fieldAnswer.ts': 'answers of the demo; those of other types are their examples',
  'server/ops/demo/answers.ts': 'how often the demo answers optional fields; a type needs nothing',
  'check/entityTypes.ts': 'a type of JSON Schema',
  'check/rules/limits.ts': 'the type of a query parameter',
  'contract/answerMigration/fitsField.ts': 'a type of JSON Schema',
  'contract/defaultCell.ts': 'the cells of types of JSON Schema',
  'contract/messages.ts': 'a type of JSON Schema',
  'contract/listFilters.ts': 'the type of a query parameter',
  'engine/kinds/list/FilterField.tsx': 'the type of a query parameter',
  'engine/kinds/list/Widths.tsx': 'a type of JSON Schema',
  'engine/kinds/list/state/filters.ts': 'the type of a query parameter',
  'engine/kinds/views/SaveView.tsx': 'the type of a query parameter',
  'server/http/openapi.ts': 'the type of a query parameter',
  'server/records/files/describeRequest.ts': 'the type of a query parameter',
  'engine/form/widgets/DateInput.tsx': 'the type of a part of a formatted date',
  'constructor/settings/AddForm.tsx': 'an element of HTML',
}

describe('the table of field types', () => {
  const SRC = path.resolve(import.meta.dirname, '../../src')
  // The widgets are a table too, whose completeness TypeScript checks.
  const TABLES =
    /^(contract\/(fieldTypes|(type|text|choice|date|number|compound)(Facts|Types))|engine\/form\/theme\/theme)\.ts$/
  const naming = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter(
      (file) => /\.tsx?$/.test(file) && !/^contract\/(generated|types\/)/.test(file) && !TABLES.test(file),
    )
    .map((file) => ({ file, lines: namesOfTypes(readFileSync(path.join(SRC, file), 'utf8')) }))
    .filter(({ lines }) => lines.length > 0)

  it('is the only place that names a type, but for a few with a reason', () => {
    const unexpected = naming.filter(({ file }) => !Object.hasOwn(MAY_NAME, file))
    expect(unexpected.map(({ file, lines }) => `${file}: ${lines.join(' … ')}`)).toEqual([])
  })

  it('has no reason for a file that names none', () => {
    const files = naming.map(({ file }) => file)
    expect(Object.keys(MAY_NAME).filter((file) => !files.includes(file))).toEqual([])
  })
})

/** Lines that compare with a type, list or key types, or have a word that is nothing but a type; a field may be made. */
function namesOfTypes(source: string): string[] {
  const names = TYPES.map(([type]) => type)
  const any = names.join('|')
  const compared = new RegExp(`[tT]ype\\)?\\s*[!=]==\\s*'(${any})'|\\['(${any})'(, '\\w+')*\\]\\.includes`)
  const keyed =
    /(?<!as )Record<(\w+, Record<string, )?(FieldType|Field\['type'\])|(FieldType|Field\['type'\])\[\] = \[/
  const often = /Record<string, \w+> = \{ textarea/
  const unmistakable = /(?<!ype: )(?<!\? )'(yesno|multiselect|textarea|duration|repeat|money)'/
  return source
    .split('\n')
    .filter((line) => !/^\s*(\*|\/)/.test(line))
    .filter((line) => [compared, keyed, often, unmistakable].some((pattern) => pattern.test(line)))
    .map((line) => line.trim())
}
