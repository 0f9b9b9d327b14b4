import { ErrorBoundary } from '../../engine/core/ErrorBoundary.tsx'
import { loadable } from '../../engine/core/loadable.tsx'
import { useProofQuestion } from '../core/stepUp.ts'

const StepUpDialog = loadable(() => import('./StepUpDialog.tsx'))

/** The question who somebody is, over the page that made a call which needs that; nothing until there is one. */
export function StepUp() {
  const question = useProofQuestion()
  return (
    question && (
      <ErrorBoundary what="The question who you are" fallback={null}>
        <StepUpDialog question={question} />
      </ErrorBoundary>
    )
  )
}
