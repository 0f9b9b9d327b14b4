import { Button } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import { type ConditionContext, isSet, type Values } from '../../../contract/when.ts'
import { getAt } from '../../form/store/paths.ts'
import type { FormSection } from '../../form/store/sections.ts'
import { ReadView } from '../../form/widgets/ReadView.tsx'
import type { PublicPage } from './pages.ts'
import type { Sending } from './useSending.ts'

interface Props {
  pages: PublicPage[]
  document: Values
  context: ConditionContext
  back: string
  sending: Sending
}

/** All answers by page before they are sent; each page has a link to change it, which returns here. */
export function CheckAnswers({ pages, document, context, back, sending }: Props) {
  const { send, isBusy, message } = sending
  return (
    <>
      {message && (
        <p className="note" role="alert">
          {message}
        </p>
      )}
      {pages.map(({ id, title, section }) => (
        <section className="check-step" key={id} aria-labelledby={`check-${id}`}>
          <div className="check-head">
            <h2 id={`check-${id}`}>{title}</h2>
            <Link to={`?step=${id}`} state={{ toCheck: true }}>
              Change <span className="visually-hidden">{title.toLowerCase()}</span>
            </Link>
          </div>
          {isAnswered(section, document) ? (
            <ReadView
              sections={[{ ...section, isAnsweredOnly: true }]}
              document={document}
              conditionContext={context}
              level={3}
            />
          ) : (
            <p className="public-nothing">Nothing entered</p>
          )}
        </section>
      ))}
      <div className="public-bar">
        <Button
          intent="primary"
          size="large"
          text="Send"
          loading={isBusy}
          aria-busy={isBusy}
          onClick={send}
        />
        <Link to={`?step=${back}`}>Back</Link>
      </div>
    </>
  )
}

function isAnswered({ at, groups }: FormSection, document: Values): boolean {
  const values = (getAt(document, at) ?? {}) as Values
  return groups.some(({ fields }) => fields.some(({ name }) => isSet(values[name])))
}
