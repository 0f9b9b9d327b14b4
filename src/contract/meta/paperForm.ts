import { sourcesOf } from '../computedDefault.ts'
import { describeAnswer, type ItemLabel } from '../describeAnswer.ts'
import { isChoice, isQuestion } from '../fieldTypes.ts'
import { withoutAnswersInTexts } from '../filledTexts.ts'
import { TODAY } from '../formula.ts'
import type { Field, FieldAttrs, Group } from '../generated.ts'
import { isMatrix } from '../matrix.ts'
import { isOtherPath, type Operand, operandsOf, type Test, type When } from '../when.ts'
import { describeCalculation } from './describeCalculation.ts'
import { describeCondition } from './describeCondition.ts'
import { paperRoute, type Target } from './paperRoute.ts'
import { withinReach } from './places.ts'
import { isOnPage, numberQuestions, type QuestionNumbers, withNumbers } from './questionNumbers.ts'

/** A question on paper, a column of its table or a note; `number` is '' for a note. */
export interface PaperQuestion {
  number: string
  field: Field
  /** "Answer 8 only if you answered Yes to 7." */
  only: string
  /** "If Yes, go on. Otherwise go to 12." */
  jump: string
  isOptional: boolean
  /** The weights of its choices are printed, because a score on the form adds them up. */
  isWeighed: boolean
  /** How a calculated answer is worked out by hand; '' if its parts are not on the form. */
  workedOut: string
  /** "Needed only if you answered Yes to 7." */
  needed: string
  columns: PaperQuestion[]
}
export interface PaperPart {
  number: string
  label: string
  /** It stands under the heading of the part before it. */
  isUnder: boolean
  only: string
  isMatrix: boolean
  questions: PaperQuestion[]
}

/**
 * A form as it is printed to be filled in by hand, with routing instructions in words; its numbers are those of its
 * summary. `outside` are the fields outside of it, by path.
 */
export function paperForm(
  all: Group[],
  itemLabel?: ItemLabel,
  outside: ReadonlyMap<string, Field> = new Map(),
): PaperPart[] {
  const route = paperRoute(all)
  const numbers = numberQuestions(route.map(({ group }) => group))
  const own = all.flatMap((group) => group.fields.map((field) => [field.name, field] as const))
  const reach = new Map([...outside, ...own])
  for (const { stops } of route) for (const { field } of stops) reach.set(field.name, field)
  const words: Words = { numbers, reach, itemLabel, weighed: weighedNames(route.map(({ group }) => group)) }
  return route.map(({ group, onlyIf, stops }, g) => {
    const number = numbers.get(group) ?? ''
    const next = route.slice(g + 1).find((one) => one.group.attrs?.under !== group.name)?.group ?? 'end'
    return {
      number,
      label: group.label.trim(),
      isUnder: group.attrs?.under !== undefined,
      only: onlyWords(`part ${number}`, onlyIf, next, words),
      isMatrix: isMatrix(group) && stops.every(({ onlyIf: own, jump }) => own.length === 0 && !jump),
      questions: stops.map(({ field, onlyIf: own, skipTo, jump }) => ({
        ...question(field, [], words),
        only: onlyWords(numbers.get(field) ?? '', own, skipTo, words),
        jump: jump ? jumpWords(field, jump.goOn, jump.to, words) : '',
      })),
    }
  })
}

interface Words {
  numbers: QuestionNumbers
  /** Names of the fields that scores on the form add up, 'repeat.column' for columns. */
  weighed: Set<string>
  reach: Map<string, Field>
  itemLabel?: ItemLabel
}

function question(field: Field, repeats: Field[], words: Words): PaperQuestion {
  const { attrs = {}, fields = [] } = field
  const within = { ...words, reach: withinReach(words.reach, repeats) }
  return {
    number: words.numbers.get(field) ?? '',
    field: withoutAnswersInTexts(field),
    only: '',
    jump: '',
    needed: neededWords(attrs, within),
    isWeighed: words.weighed.has([...repeats, field].map(({ name }) => name).join('.')),
    workedOut: workedOut(field, within),
    isOptional: isQuestion(field) && !attrs.required && !attrs.required_when && !attrs.calc,
    columns: fields.filter(isOnPage).map((column) => ({
      ...question(column, [...repeats, field], words),
      only: onlyWords(
        words.numbers.get(column) ?? '',
        column.attrs?.when ? [column.attrs.when] : [],
        undefined,
        { ...words, reach: withinReach(words.reach, [...repeats, field]) },
      ),
    })),
  }
}

function neededWords({ required, required_when, rows_from }: FieldAttrs, words: Words): string {
  if (required_when && !required) return `Needed only if ${conditionWords(required_when, words)}.`
  const source = rows_from === undefined ? undefined : words.reach.get(rows_from)
  const number = source && words.numbers.get(source)
  return number ? `Fill in as many rows as you answered to ${number}.` : ''
}

/** The choices whose weights a score on the form adds up; of a column the names of its repeats come first. */
function weighedNames(groups: Group[]): Set<string> {
  const names = new Set<string>()
  const add = (fields: Field[], around: string[]) => {
    for (const { name, attrs, fields: columns = [] } of fields.filter(isOnPage)) {
      const ownNames = new Set(fields.map((one) => one.name))
      for (const source of attrs?.calc === 'score' ? (attrs.of ?? []) : []) {
        if (typeof source !== 'string') continue
        const isOwn = ownNames.has(source.split('.', 1)[0])
        names.add(isOwn ? [...around, source].join('.') : source)
      }
      add(columns, [...around, name])
    }
  }
  add(
    groups.flatMap((group) => group.fields),
    [],
  )
  return names
}

/** "Add up the numbers in brackets beside your answers to 3 and 4"; '' if the calculation has parts without a number. */
function workedOut(field: Field, { reach, numbers, itemLabel }: Words): string {
  const { attrs = {} } = field
  if (!attrs.calc) return ''
  const sources = [...new Set(sourcesOf(field))].filter(
    (one): one is string => typeof one === 'string' && one !== TODAY,
  )
  const labels = sources.map((source) => {
    const [head, column] = source.split('.')
    const field = reach.get(head)
    const of = column === undefined ? field : field?.fields?.find((one) => one.name === column)
    return of && numbers.get(of)
  })
  if (labels.some((label) => !label)) return ''
  const all = labels.length < 2 ? labels.join('') : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`
  if (attrs.calc === 'score') return `Add up the numbers in brackets beside your answers to ${all}`
  const byNumber = new Map(reach)
  for (const source of sources) {
    const [head, column] = source.split('.')
    const field = byNumber.get(head)!
    const fields = field.fields?.map((one) =>
      one.name === column ? { ...one, label: numbers.get(one)! } : one,
    )
    byNumber.set(head, {
      ...field,
      label: numbers.get(reach.get(head)!) ?? field.label,
      ...(fields && { fields }),
    })
  }
  const words = describeCalculation({ ...field, label: '' }, byNumber, itemLabel)
  return `${attrs.calc === 'choose' ? 'Write' : 'Work out'} ${words.replaceAll(/\brow(s?) of '(\d+[a-z0-9]*)'/g, 'row$1 of $2').replaceAll(/'(\d+[a-z0-9]*)'/g, 'the answer to $1')}`
}

/** Instruction to skip an item unless its conditions hold; `what` is its number, '' for a note. */
function onlyWords(what: string, onlyIf: When[], skipTo: Target | undefined, words: Words): string {
  if (onlyIf.length === 0) return ''
  const all = onlyIf.map((when) => conditionWords(when, words)).join(' and ')
  if (!what) return `Only if ${all}:`
  const otherwise = skipTo ? ` Otherwise go to ${targetWords(skipTo, words)}.` : ''
  return `Answer ${what} only if ${all}.${otherwise}`
}

function jumpWords(field: Field, goOn: When, to: Target, words: Words): string {
  const test = goOn[field.name] as Test
  const choices = operandsOf(test).map((one) => answerWords(field, one, words))
  const isExcluded = test !== null && typeof test === 'object' && !Array.isArray(test)
  const named = orList(choices)
  const target = `go to ${targetWords(to, words)}`
  return isExcluded ? `If ${named}, ${target}. Otherwise go on.` : `If ${named}, go on. Otherwise ${target}.`
}

function targetWords(target: Target, { numbers }: Words): string {
  if (target === 'end') return 'the end of the form'
  return 'type' in target ? numbers.get(target)! : `part ${numbers.get(target)}`
}

/**
 * A condition addressed to the person who fills in the form: "you answered Yes to 7 and the answer to 9 is at least
 * 18".
 */
function conditionWords(when: When, words: Words): string {
  return Object.entries(when)
    .map(([path, test]) =>
      path === 'any' ? anyWords(test as When[], words) : testWords(path, test as Test, words),
    )
    .join(' and ')
}

function anyWords(list: When[], words: Words): string {
  const all = list.map((one) => conditionWords(one, words))
  return list.some((one) => Object.keys(one).length > 1) ? all.join(', or ') : all.join(' or ')
}

function testWords(path: string, test: Test, words: Words): string {
  const { reach, numbers } = words
  const field = reach.get(path)
  const number = field && numbers.get(field)
  if (!number) return describeCondition({ [path]: test }, namedByNumber(words), words.itemLabel)
  const operands = operandsOf(test)
  const isPlain = operands.length > 0 && !operands.some((one) => one === null || isOtherPath(one))
  const isObject = test !== null && typeof test === 'object' && !Array.isArray(test)
  const keys = isObject && !isOtherPath(test) ? Object.keys(test).join() : ''
  if (isChoice(field) && isPlain && (!isObject || keys === 'not')) {
    const named = orList(operands.map((one) => answerWords(field, one, words)))
    return isObject ? `you did not answer ${named} to ${number}` : `you answered ${named} to ${number}`
  }
  if (test === null || (keys === 'set' && !(test as { set?: boolean }).set)) return `you left ${number} empty`
  if (keys === 'set' || (keys === 'not' && operands.length === 0)) return `you answered ${number}`
  return describeCondition({ [path]: test }, namedByNumber(words), words.itemLabel)
    .replaceAll(/\brow(s?) of '(\d+[a-z0-9]*)'/g, 'row$1 of $2')
    .replaceAll(/'(\d+[a-z0-9]*)'/g, 'the answer to $1')
}

/** The fields with their numbers as labels. */
function namedByNumber({ reach, numbers }: Words): Map<string, Field> {
  return withNumbers(reach, numbers, (number) => number)
}

function answerWords(field: Field, value: Operand, { itemLabel }: Words): string {
  return describeAnswer(field, value, itemLabel)
}

function orList(list: string[]): string {
  return list.length < 2 ? list.join('') : `${list.slice(0, -1).join(', ')} or ${list.at(-1)}`
}
