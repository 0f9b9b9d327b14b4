import { type MouseEvent, type ReactElement, useLayoutEffect } from 'react'
import type { Field } from '../../contract/generated.ts'

/** An answer that can be inserted into a text. */
export interface Answer {
  field: Field
  label: string
  /** The words of its stored name. */
  about: string
}

/** Maximum number of answers that the list renders; others are found by typing more. */
export const LISTED = 50

interface Props {
  /** Beginning of the ids of the list and its options. */
  id: string
  answers: Answer[]
  active: Answer
  onChoose: (answer: Answer) => void
}

/** The list of a text box that has the focus and the keys: labels with stored names. */
export function AnswerList({ id, answers, active, onChoose }: Props): ReactElement {
  const { name } = active.field
  useLayoutEffect(() => {
    document.getElementById(`${id}-${name}`)?.scrollIntoView?.({ block: 'nearest' })
  }, [id, name])
  const others = answers.length - LISTED
  const listProps = {
    id: `${id}-list`,
    role: 'listbox',
    'aria-label': 'Answers to insert',
    tabIndex: -1,
    // The text keeps the focus, or the list would close before the click.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
  }
  const optionProps = (answer: Answer) => ({
    id: `${id}-${answer.field.name}`,
    role: 'option',
    tabIndex: -1,
    'aria-selected': answer === active,
    onClick: () => onChoose(answer),
  })
  return (
    <div {...listProps} data-more={others > 0 ? `${others} more: type a part of the label` : undefined}>
      {answers.slice(0, LISTED).map((answer) => (
        <div key={answer.field.name} {...optionProps(answer)}>
          {answer.label} <small>{`{${answer.field.name}}`}</small>
        </div>
      ))}
    </div>
  )
}
