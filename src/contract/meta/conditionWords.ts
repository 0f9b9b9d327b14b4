import type { Field } from '../types.ts'
import type { Literal, Test, When } from '../when.ts'
import { answerWords } from './answerWords.ts'
import { quoted } from './quoted.ts'

/** One comparison of a condition; `field` is missing where the path looks elsewhere or at nothing there is. */
export interface TestPart {
  path: string
  field: Field | undefined
  test: Test
}
type WordFor = (field: Field | undefined, value: Literal) => string

/** A condition as a sentence: "'Urgent' is Yes and ('Ward' has a value or 'Setting' is Hospital)". */
export function conditionWords(when: When, reach: Map<string, Field>): string {
  return conditionParts(when, reach)
    .map((part) => (typeof part === 'string' ? part : testWords(part, answerWords)))
    .join('')
}

/** The same sentence in pieces: its comparisons, each still to be put in words, and the words between them. */
export function conditionParts(when: When, reach: Map<string, Field>): (string | TestPart)[] {
  return Object.entries(when).flatMap(([path, test], i) => [
    ...(i > 0 ? [' and '] : []),
    ...(path === 'any'
      ? alternatives(test as When[], reach)
      : [{ path, field: reach.get(path.split('.')[0]), test: test as Test }]),
  ])
}

function alternatives(list: When[], reach: Map<string, Field>): (string | TestPart)[] {
  const parts = list.flatMap((one, i) => [...(i > 0 ? [' or '] : []), ...conditionParts(one, reach)])
  return list.length > 1 ? ['(', ...parts, ')'] : parts
}

/** A comparison in words: "'Age' is at least 18"; what a value is called is said by `wordFor`. */
export function testWords({ path, field, test }: TestPart, wordFor: WordFor): string {
  const isWhole = !path.includes('.')
  const of = isWhole ? field : undefined
  const verbs = of?.type === 'multiselect' ? OF_LIST : OF_ONE
  const words = (values: Literal | Literal[]) =>
    [values]
      .flat()
      .map((value) => wordFor(of, value))
      .join(' or ')
  return `${subjectWords(path, field)} ${compared(test, verbs, words)}`
}

/** What a condition looks at: "'Ward'", "'phone' of 'Relative'" or "'is opened' of the record". */
export function subjectWords(path: string, field: Field | undefined): string {
  const [head, ...rest] = path.split('.')
  const part = quoted(rest.join(' ').replaceAll('_', ' '))
  if (field) return rest.length > 0 ? `${part} of ${quoted(field.label, head)}` : quoted(field.label, head)
  return rest.length > 0 ? `${part} of the ${head}` : quoted(path)
}

const OF_ONE = { is: 'is', oneOf: 'is one of', not: 'is not' }
const OF_LIST = { is: 'includes', oneOf: 'includes one of', not: 'does not include' }

function compared(test: Test, verbs: typeof OF_ONE, words: (values: Literal | Literal[]) => string): string {
  if (test === null) return 'has no value'
  if (Array.isArray(test)) return `${test.length > 1 ? verbs.oneOf : verbs.is} ${words(test)}`
  if (typeof test !== 'object') return `${verbs.is} ${words(test)}`
  const { set, not, min, max } = test
  return [
    set !== undefined && (set ? 'has a value' : 'has no value'),
    not !== undefined && (not === null ? 'has a value' : `${verbs.not} ${words(not)}`),
    min !== undefined && `is at least ${words(min)}`,
    max !== undefined && `is at most ${words(max)}`,
  ]
    .filter(Boolean)
    .join(' and ')
}
