import { isQuestion, isRendered } from '../fieldTypes.ts'
import type { Field, Group } from '../generated.ts'
import { parentOf } from '../subgroups.ts'

/** Numbers of groups (A), questions (7) and columns (7a, 7a1) in a form on paper and in its summary. */
export type QuestionNumbers = Map<Group | Field, string>

/** Numbers the questions that staff see; switched-off and hidden fields and notes have no number. */
export function numberQuestions(groups: Group[]): QuestionNumbers {
  const numbers: QuestionNumbers = new Map()
  let questions = 0
  let parts = 0
  for (const group of groups) {
    const isOff = [group, parentOf(groups, group)].some((one) => one?.attrs?.is_on === false)
    const below = groups.filter(({ attrs }) => attrs?.under === group.name)
    if (isOff || ![group, ...below].some(({ fields }) => fields.some(isOnPage))) continue
    numbers.set(group, lettersOf(parts++).toUpperCase())
    for (const field of group.fields.filter(isNumbered)) {
      numbers.set(field, String(++questions))
      numberColumns(field, String(questions), 0, numbers)
    }
  }
  return numbers
}

/** Fields whose labels are written with their numbers, so that descriptions refer to them as the form does. */
export function withNumbers(
  fields: Map<string, Field>,
  numbers: QuestionNumbers,
  labelOf: (number: string, label: string) => string,
): Map<string, Field> {
  return new Map(
    [...fields].map(([name, field]) => {
      const number = numbers.get(field)
      return [name, number ? { ...field, label: labelOf(number, field.label.trim() || name) } : field]
    }),
  )
}

/** True if a form renders a field while its conditions hold. */
export function isOnPage(field: Field): boolean {
  return isRendered(field) && field.attrs?.is_on !== false
}

function isNumbered(field: Field): boolean {
  return isOnPage(field) && isQuestion(field)
}

/** Numbers the columns of a repeat; letters and digits alternate by level: 7, 7a, 7a1. */
function numberColumns({ fields = [] }: Field, around: string, depth: number, numbers: QuestionNumbers) {
  for (const [i, column] of fields.filter(isNumbered).entries()) {
    const number = `${around}${depth % 2 === 0 ? lettersOf(i) : i + 1}`
    numbers.set(column, number)
    numberColumns(column, number, depth + 1, numbers)
  }
}

/** a to z, then aa, ab and so on. */
function lettersOf(index: number): string {
  const last = String.fromCharCode(97 + (index % 26))
  return index < 26 ? last : `${lettersOf(Math.floor(index / 26) - 1)}${last}`
}
