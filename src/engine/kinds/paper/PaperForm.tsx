import { useCallback } from 'react'
import type { ItemLabel } from '../../../contract/describeAnswer.ts'
import { isQuestion, offeredOptions } from '../../../contract/fieldTypes.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import { type PaperPart, type PaperQuestion, paperForm } from '../../../contract/meta/paperForm.ts'
import { loadable } from '../../core/loadable.tsx'
import { useItemLabels } from '../../core/useItemLabels.ts'
import { PaperAnswer } from './PaperAnswer.tsx'

const Markdown = loadable(() => import('../../form/widgets/Markdown.tsx'))

interface Props {
  product: string
  /** Name of the item that the form belongs to. */
  name: string
  /** A line under the heading, such as its version. */
  about: string
  /** Title, such as "Case form". */
  title: string
  /** Labels of the lines to fill in above the questions. */
  blanks: string[]
  groups: Group[]
  /** The fields outside of the form that its conditions name, by path. */
  outside?: Map<string, Field>
}

/** A form to print and fill in by hand: numbered questions with space for the answers, and notes on where to go on. */
export function PaperForm({ product, name, about, title, blanks, groups, outside }: Props) {
  const describe = useCallback(
    (itemLabel: ItemLabel) => paperForm(groups, itemLabel, outside),
    [groups, outside],
  )
  const parts = useItemLabels(describe)
  return (
    <article className="paper" aria-label={title}>
      <header className="paper-head">
        <p>{product}</p>
        <h2>
          {name}: {title.toLowerCase()}
        </h2>
        <p>{about}</p>
        <dl className="paper-about">
          {blanks.map((label) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="paper-line" />
            </div>
          ))}
        </dl>
        <p>
          Go through the questions in their order. Where a question says who answers it or where to go on,
          follow that.
        </p>
      </header>
      {parts.map((part) => (
        <section key={part.number} className="paper-part">
          <PartHeading part={part} />
          {part.only && <p className="paper-way">{part.only}</p>}
          {part.isMatrix ? (
            <PaperMatrix part={part} />
          ) : (
            part.questions.map((question) => <Question key={question.field.name} question={question} />)
          )}
        </section>
      ))}
      <p className="paper-end">The end of the form</p>
    </article>
  )
}

/** The heading of a part, smaller for one that stands under another one. */
function PartHeading({ part: { number, label, isUnder } }: { part: PaperPart }) {
  const Heading = isUnder ? 'h4' : 'h3'
  return (
    <Heading>
      {number} {label}
    </Heading>
  )
}

function Question({ question }: { question: PaperQuestion }) {
  const { number, field, only, jump } = question
  if (!isQuestion(field))
    return (
      <div className="paper-note">
        {only && <p className="paper-way">{only}</p>}
        <strong>{field.label}</strong>
        {field.attrs?.text && <Markdown text={field.attrs.text} />}
      </div>
    )
  return (
    <div className="paper-question">
      {only && <p className="paper-way">{only}</p>}
      <p className="paper-label">
        <strong>{number}</strong> <QuestionText question={question} />
      </p>
      <PaperAnswer question={question} />
      {jump && <p className="paper-way">{jump}</p>}
    </div>
  )
}

function QuestionText({ question: { field, isOptional, needed } }: { question: PaperQuestion }) {
  return (
    <>
      <strong>{field.label}</strong>
      {isOptional && ' (optional)'}
      {field.attrs?.help && <span className="paper-hint">{field.attrs.help}</span>}
      {needed && <span className="paper-hint">{needed}</span>}
    </>
  )
}

function weightOf({ attrs }: Field, value: string | number): number {
  return attrs?.options?.find((option) => option.value === value)?.weight ?? 0
}

/** Questions with the same choices, one per row; each row has its own weights. */
function PaperMatrix({ part: { questions } }: { part: PaperPart }) {
  const rows = questions.filter(({ field }) => isQuestion(field))
  const options = offeredOptions(rows[0].field)
  return (
    <table className="paper-table">
      <thead>
        <tr>
          <td />
          {options.map(({ value, label }) => (
            <th key={value} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((question) => (
          <tr key={question.field.name}>
            <th scope="row">
              {question.number} <QuestionText question={question} />
            </th>
            {options.map(({ value }) => (
              <td key={value}>
                <span className="paper-box" />
                {question.isWeighed && ` (${weightOf(question.field, value)})`}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
