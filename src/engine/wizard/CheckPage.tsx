import { Link } from 'react-router-dom'
import type { WizardScreen } from '../../contract/generated.ts'
import { setAt } from '../form/paths.ts'
import { ReadView } from '../form/ReadView.tsx'
import type { Wizard } from './useWizard.ts'

interface Props {
  screen: WizardScreen
  wizard: Wizard
  to: (stepId: string) => string
}

/** All answers by step, each with a link to change them that leads back here. */
export function CheckPage({ screen, wizard, to }: Props) {
  const { document, record, conditionContext } = wizard
  return screen.steps.map((step) => {
    const stepDocument = step.existing && record ? setAt(document, step.at ?? '', record) : document
    return (
      <section className="check-step" key={step.id} aria-labelledby={`check-${step.id}`}>
        <div className="check-head">
          <h2 id={`check-${step.id}`}>{step.title}</h2>
          <Link to={to(step.id)} state={{ toCheck: true }}>
            Change <span className="visually-hidden">{step.title.toLowerCase()}</span>
          </Link>
        </div>
        <ReadView
          sections={wizard.sectionsOf(step)}
          document={stepDocument}
          conditionContext={conditionContext}
          level={3}
        />
      </section>
    )
  })
}
