import { type ReactNode, useState } from 'react'
import { isEditable, isQuestion, isRendered } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { capitalised } from '../../../contract/quoted.ts'
import { isSet } from '../../../contract/when.ts'
import { FormFields } from '../../form/FormView.tsx'
import type { FormStore } from '../../form/store/formStore.ts'
import { join } from '../../form/store/paths.ts'
import type { RenderedGroup } from '../../form/store/renderedGroups.ts'
import { ReadValue } from '../../form/widgets/ReadView.tsx'
import { cardIds } from './useOpenSections.ts'

interface Props {
  group: RenderedGroup
  title: string
  /** Problems by field, as `openProblems` returns them. */
  problems: Record<string, string>
  /** Names of required fields that were not asked when the record was made; they are listed without an answer. */
  notAsked: string[]
  /** Leaves out fields without an answer instead of folding them. */
  isAnsweredOnly: boolean
  /** Why these have none; then they are folded, too. */
  unanswered?: string
  store: FormStore
  idPrefix: string
  maySave: boolean
  isOpen: boolean
  onChange: (key: string) => void
  /** The error summary, if it is about this card. */
  errorSummary: ReactNode
  /** The bar of an open section. */
  children: ReactNode
}

/** A group of a record as a card: its answers, or a form after Change was pressed. */
export function Card(props: Props) {
  const { group, title, store, idPrefix, isOpen, maySave, onChange, errorSummary, children } = props
  const ids = cardIds(idPrefix, group.key)
  const mayChange = maySave && group.fields.some(isEditable)
  return (
    <section id={ids.card} className="form-section card" aria-labelledby={ids.heading}>
      <div className="card-head">
        <h2 id={ids.heading} tabIndex={-1}>
          {title}
        </h2>
        {mayChange && !isOpen && (
          <button id={ids.change} type="button" className="link-button" onClick={() => onChange(group.key)}>
            Change <span className="visually-hidden">{title}</span>
          </button>
        )}
      </div>
      {isOpen ? (
        <div id={ids.fields} className="card-form">
          {errorSummary}
          <FormFields {...{ store, idPrefix }} only={group.key} />
          {children}
        </div>
      ) : (
        <Answers {...props} />
      )}
    </section>
  )
}

/** The answers in the order of the fields; fields without one are folded into one row. */
function Answers({ group, problems, notAsked, isAnsweredOnly, unanswered, store }: Props) {
  const [isExpanded, setExpanded] = useState(false)
  const { values } = group
  // A section with `isAnsweredOnly` shows no calculated values, only stored ones.
  const isListed = (field: Field) =>
    isQuestion(field) && isRendered(field) && !(isAnsweredOnly && field.attrs?.calc)
  const fields = group.fields.filter(isListed)
  const isFolded = ({ name }: Field) => !isSet(values[name]) && !problems[name] && !notAsked.includes(name)
  const words = isAnsweredOnly ? unanswered : 'not given'
  const count = words ? fields.filter(isFolded).length : 0
  const rows = isExpanded && words ? fields : fields.filter((field) => !isFolded(field))
  return (
    <>
      <dl className="read-list">
        {rows.map((field) => (
          <div className="read-item" key={field.name}>
            <dt>{field.label}</dt>
            <dd>
              {isFolded(field) && unanswered && <span className="read-none">{capitalised(unanswered)}</span>}
              {notAsked.includes(field.name) && <span className="read-none">Not asked</span>}
              {(isSet(values[field.name]) ||
                !(problems[field.name] || unanswered || notAsked.includes(field.name))) && (
                <ReadValue
                  field={field}
                  value={values[field.name]}
                  conditionContext={store.conditionContextAt(join(group.at, field.name))}
                />
              )}
              {problems[field.name] && <span className="read-problem">{problems[field.name]}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {count > 0 && (
        <p className="read-fold">
          <span>
            {count} {words}
          </span>
          <button
            type="button"
            className="link-button"
            aria-expanded={isExpanded}
            onClick={() => setExpanded(!isExpanded)}
          >
            {isExpanded ? 'Hide' : 'Show'} <span className="visually-hidden">what is {words}</span>
          </button>
        </p>
      )}
    </>
  )
}
