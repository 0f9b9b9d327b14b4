import { Link } from 'react-router-dom'
import type { Step } from '../../contract/generated.ts'

interface Props {
  steps: Step[]
  current: string
  completed: string[]
  to: (step: Step) => string
}

/** Where the person is on the way; the steps after the first come up once it is known what they ask. */
export function StepList({ steps, current, completed, to }: Props) {
  return (
    <nav className="steps" aria-label="Steps">
      <ol>
        {steps.map((step) => {
          const isDone = completed.includes(step.id)
          const words = (
            <>
              {step.title}
              <span className="visually-hidden">{isDone ? ', completed' : ', not completed'}</span>
            </>
          )
          const isHere = step.id === current
          return (
            <li
              key={step.id}
              aria-current={isHere ? 'step' : undefined}
              className={isDone ? 'step-done' : undefined}
            >
              {isHere ? words : <Link to={to(step)}>{words}</Link>}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
