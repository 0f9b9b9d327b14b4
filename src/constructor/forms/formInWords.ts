import type { ItemLabel } from '../../contract/describeAnswer.ts'
import { withoutAnswersInTexts } from '../../contract/filledTexts.ts'
import type { Field, Group } from '../../contract/generated.ts'
import { describeCondition } from '../../contract/meta/describeCondition.ts'
import { fieldsByName, withinReach } from '../../contract/meta/places.ts'
import { numberQuestions, type QuestionNumbers, withNumbers } from '../../contract/meta/questionNumbers.ts'
import { quoted } from '../../contract/quoted.ts'
import { parentOf } from '../../contract/subgroups.ts'
import { asSentence, questionInWords } from './questionInWords.ts'

/** A group, question or column of a form in words; `number` is '' for what staff do not see as a question. */
export interface InWords {
  number: string
  label: string
  sentences: string[]
  /** The questions of a group, the columns of a repeat. */
  below: InWords[]
}

/**
 * Describes a form in sentences, which refer to questions by number: "Shown only when '3 Urgent' is Yes." `outside` are
 * the fields outside of it, by path.
 */
export function formInWords(
  groups: Group[],
  itemLabel?: ItemLabel,
  outside: Map<string, Field> = new Map(),
): InWords[] {
  const numbers = numberQuestions(groups)
  const reach = new Map([...outside, ...numbered(fieldsByName(groups), numbers)])
  return groups.map((group) => ({
    number: numbers.get(group) ?? '',
    label: group.label.trim() || group.name,
    sentences: groupSentences(group, parentOf(groups, group), reach, itemLabel),
    below: group.fields.map((field) => question(field, [], reach, numbers, itemLabel)),
  }))
}

/** Formats the result of `formInWords` as plain text, one line per sentence. */
export function textInWords(title: string, parts: InWords[]): string {
  const lines = (list: InWords[], indent: string): string[] =>
    list.flatMap(({ number, label, sentences, below }) => [
      `${indent}${[number, label].filter(Boolean).join(' ')}`,
      ...sentences.map((words) => `${indent}    ${words}`),
      ...lines(below, `${indent}  `),
    ])
  const groups = parts.map((part) => lines([part], '').join('\n'))
  return `${[title, ...groups].join('\n\n')}\n`
}

function groupSentences(
  { attrs = {} }: Group,
  parent: Group | undefined,
  reach: Map<string, Field>,
  itemLabel?: ItemLabel,
): string[] {
  return [
    parent && `Stands under ${quoted(parent.label, parent.name)}, and is shown only with it`,
    attrs.is_on === false && 'Switched off: it is not on the form',
    attrs.when && `Shown only when ${describeCondition(attrs.when, reach, itemLabel)}`,
    attrs.layout === 'matrix' && 'Shown as a table',
    attrs.folded && 'Begins folded',
  ]
    .filter(Boolean)
    .map(asSentence)
}

function question(
  field: Field,
  repeats: Field[],
  around: Map<string, Field>,
  numbers: QuestionNumbers,
  itemLabel?: ItemLabel,
): InWords {
  const reach = new Map([...around, ...numbered(withinReach(new Map(), repeats), numbers)])
  const { label } = withoutAnswersInTexts(field)
  return {
    number: numbers.get(field) ?? '',
    label: label.trim() || field.name,
    sentences: questionInWords(withoutAnswersInTexts(field), reach, itemLabel),
    below: (field.fields ?? []).map((column) =>
      question(column, [...repeats, field], around, numbers, itemLabel),
    ),
  }
}

/** The fields with their numbers in front of their labels. */
function numbered(fields: Map<string, Field>, numbers: QuestionNumbers): Map<string, Field> {
  return withNumbers(fields, numbers, (number, label) => `${number} ${label}`)
}
