import { computedDefault, sourcesOf } from '../computedDefault.ts'
import { holdsRows, takesSeveralChoices } from '../fieldTypes.ts'
import { namesInTexts } from '../filledTexts.ts'
import type { Field, FieldAttrs, Group } from '../generated.ts'
import { MAX_MATCHED_LENGTH, patternSize } from '../patterns.ts'
import { inFull, pluralise } from '../pluralise.ts'
import { quoted, quotedAll } from '../quoted.ts'
import { mostInnerRows, mostRows } from '../repeatLimits.ts'
import { MAX_CHOSEN, operandsOf, rowConditionsOf, type When } from '../when.ts'
import { testsOf } from './conditionTests.ts'
import { DEEPEST } from './places.ts'

/**
 * Budget of one form. A step is about a microsecond of a save in which everything is answered to its limits; other
 * people wait meanwhile, for some 100 ms at most. Forms of nearly 25,000 steps, on two cores: the first save of a process
 * takes 44 to 144 ms, later ones 40 to 95, for rows of texts, choices, conditions or calculations.
 */
export const MAX_COST = {
  /** Evaluating and validating fields, rows, conditions, calculations and texts with answers. */
  steps: 25_000,
  /** Different patterns; each is compiled once. */
  patterns: 200,
  /** Instructions of the patterns times characters that they match, in all rows. */
  matching: 2_500_000,
} as const

export type Cost = Record<keyof typeof MAX_COST, number>

/** Steps for a field or a cell of a row, for a test or an argument, and for an answer in a text. */
const STEPS = { field: 5, test: 1, text: 8, choice: 1 }
/** Assumed number of choices of a list, whose length is not known here. */
const LISTED_CHOICES = 50

/** The cost of one field with all its rows, and what it is made of in words. */
interface FieldCost {
  field: Field
  steps: number
  matching: number
  words: string
  isOverRows?: boolean
}

/** Finds a field by its name, in a row its columns first. */
type Named = (name: string) => Field | undefined

/** The cost of a form, whose parts are switched on. */
export function costOf(groups: Group[]): Cost {
  return sumOf(fieldCosts(groups), groups)
}

/** "It takes 150,000 steps to save this form, …": what exceeds the budget, a sentence each, and how to change it. */
export function costProblems(groups: Group[]): { of: keyof Cost; message: string }[] {
  const costs = fieldCosts(groups)
  const cost = sumOf(costs, groups)
  const problems: { of: keyof Cost; message: string }[] = []
  const mostOf = (key: 'steps' | 'matching') =>
    together(costs)
      .sort((a, b) => b[key] - a[key])
      .slice(0, 3)
      .filter((one) => one[key] > 0)
      .map(({ words }) => words)
      .join('; ')
  if (cost.steps > MAX_COST.steps)
    problems.push({
      of: 'steps',
      message: `This form is too slow: with all its rows it takes ${inFull(cost.steps)} steps to save, of at most ${inFull(MAX_COST.steps)}. Most of them are of ${mostOf('steps')}. Lower the most rows, or remove columns, calculations or conditions`,
    })
  if (cost.patterns > MAX_COST.patterns)
    problems.push({
      of: 'patterns',
      message: `A form may have ${MAX_COST.patterns} different patterns, and this one has ${cost.patterns}; use the same for several fields, or remove ${cost.patterns - MAX_COST.patterns}`,
    })
  if (cost.matching > MAX_COST.matching)
    problems.push({
      of: 'matching',
      message: `The patterns of this form are too slow: it takes ${inFull(cost.matching)} steps to match them, of at most ${inFull(MAX_COST.matching)}. Most of them are of ${mostOf('matching')}. Lower the most characters or rows, or write simpler patterns`,
    })
  return problems
}

/** The costs of fields, those of all calculations over rows together: hundreds of small ones add up. */
function together(costs: FieldCost[]): Omit<FieldCost, 'field'>[] {
  const overRows = costs.filter(({ isOverRows }) => isOverRows)
  const others = costs.filter(({ isOverRows }) => !isOverRows)
  const named = (one: FieldCost) => ({
    ...one,
    words: `${quoted(one.field.label, one.field.name)}${one.words}`,
  })
  if (overRows.length < 2) return costs.map(named)
  const labels = quotedAll(overRows.map(({ field }) => field.label || field.name))
  return [
    ...others.map(named),
    {
      steps: overRows.reduce((sum, { steps }) => sum + steps, 0),
      matching: 0,
      words: `${pluralise(overRows.length, 'calculation')} over rows (${labels})`,
    },
  ]
}

function sumOf(costs: FieldCost[], groups: Group[]): Cost {
  const on = groups.filter(isOn)
  const fields = new Map(on.flatMap((group) => group.fields.map((field) => [field.name, field])))
  const named: Named = (name) => fields.get(name)
  const conditions = on.reduce((sum, { attrs }) => sum + testSteps(attrs?.when, named), 0)
  return {
    steps: costs.reduce((sum, { steps }) => sum + steps, conditions),
    patterns: patternsOf(groups).size,
    matching: costs.reduce((sum, { matching }) => sum + matching, 0),
  }
}

function fieldCosts(groups: Group[]): FieldCost[] {
  const fields = groups.filter(isOn).flatMap((g) => g.fields.filter(isOn))
  const named = new Map(fields.map((field) => [field.name, field]))
  // Too many patterns are refused for their number, and compiling all of them would take a second.
  const isMatching = patternsOf(groups).size <= MAX_COST.patterns
  return fields.map((field) => costOfField(field, (name) => named.get(name), isMatching))
}

function costOfField(field: Field, named: Named, isMatching: boolean, repeats: Field[] = []): FieldCost {
  const steps = ownSteps(field, named)
  const matching = isMatching ? matchingSteps(field) : 0
  if (!holdsRows(field)) {
    const rows = sourcesOf(field).reduce((sum: number, one) => sum + (rowsOf(one, named) ?? 0), 0)
    return {
      field,
      steps,
      matching,
      isOverRows: rows > 0,
      words: rows > 0 ? `, calculated over ${inFull(rows)} rows` : '',
    }
  }
  // Deeper rows than allowed are reported for that.
  const columns = repeats.length < DEEPEST ? (field.fields ?? []).filter(isOn) : []
  const own = new Map(columns.map((column) => [column.name, column]))
  const inRow: Named = (name) => own.get(name) ?? named(name)
  const costs = columns.map((column) => costOfField(column, inRow, isMatching, [...repeats, field]))
  // More nested rows than allowed are reported for that, too.
  const most = repeats.length > 0 ? Math.max(1, mostInnerRows(repeats[0])) : Number.POSITIVE_INFINITY
  const rows = Math.min(most, mostRows(field))
  return {
    field,
    steps: steps + rows * costs.reduce((sum, { steps }) => sum + steps, 0),
    matching: rows * costs.reduce((sum, one) => sum + one.matching, 0),
    words: `, ${inFull(rows)} ${rows === 1 ? 'row' : 'rows'} of ${pluralise(columns.length, 'column')}`,
  }
}

function ownSteps(field: Field, named: Named): number {
  const { when, required_when, rows_when, checks = [], choose = [] }: FieldAttrs = field.attrs ?? {}
  const conditions = [when, required_when, ...[...checks, ...choose].map((one) => one.when)]
  const ofRows = rows_when && { [String(field.attrs?.of?.[0])]: { any_row: rows_when } }
  const tests = [...conditions, ofRows].reduce((sum, one) => sum + testSteps(one, named), 0)
  const isFormula = field.attrs?.calc !== undefined || computedDefault(field)?.calc !== undefined
  const operands = sourcesOf(field).reduce((sum: number, argument) => {
    const [head, column] = typeof argument === 'string' ? argument.split('.') : []
    const source = named(head ?? '')
    const taken = column === undefined ? source : source?.fields?.find(({ name }) => name === column)
    // A calculation looks at each of several choices.
    const values = taken && takesSeveralChoices(taken) ? (taken.attrs?.options?.length ?? 1) : 1
    return sum + (rowsOf(argument, named) ?? 1) * values
  }, 0)
  const texts = namesInTexts(field).length
  return (
    STEPS.field +
    STEPS.choice * mostChosen(field) +
    STEPS.test * (tests + (isFormula ? operands : 0)) +
    STEPS.text * texts
  )
}

/** Choices that one answer can have and that are validated one by one. */
function mostChosen({ type, attrs }: Field): number {
  return takesSeveralChoices({ type }) ? Math.min(attrs?.options?.length ?? LISTED_CHOICES, MAX_CHOSEN) : 0
}

/** Tests of a condition, each with all values that it compares with, and those of rows for each row. */
function testSteps(when: When | undefined, named: Named): number {
  let steps = 0
  for (const [path, test] of testsOf(when)) {
    const repeat = named(path)
    const inRow: Named = (name) => repeat?.fields?.find((column) => column.name === name) ?? named(name)
    const ofRow = rowConditionsOf(test).reduce((sum, one) => sum + testSteps(one, inRow), 0)
    const rows = repeat && holdsRows(repeat) ? mostRows(repeat) : 1
    steps += Math.max(1, operandsOf(test).length) + rows * ofRow
  }
  return steps
}

/** Most rows that an argument of a calculation stands for; undefined unless it is a column of a repeat. */
function rowsOf(argument: unknown, named: Named): number | undefined {
  if (typeof argument !== 'string' || !argument.includes('.')) return undefined
  const repeat = named(argument.split('.', 1)[0])
  return repeat && holdsRows(repeat) ? mostRows(repeat) : undefined
}

function matchingSteps({ attrs }: Field): number {
  const { matches } = attrs?.pattern ?? {}
  if (!matches) return 0
  return patternSize(matches) * Math.min(attrs?.max_length ?? MAX_MATCHED_LENGTH, MAX_MATCHED_LENGTH)
}

function patternsOf(fields: (Group | Field)[]): Set<string> {
  const found = new Set<string>()
  const add = (one: Group | Field) => {
    if (!isOn(one)) return
    const pattern = 'type' in one && one.attrs?.pattern?.matches
    if (pattern) found.add(pattern)
    one.fields?.forEach(add)
  }
  fields.forEach(add)
  return found
}

function isOn({ attrs }: Group | Field): boolean {
  return attrs?.is_on !== false
}
