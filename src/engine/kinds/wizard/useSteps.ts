import { useContext } from 'react'
import { UNSAFE_DataRouterContext, useLocation, useNavigate } from 'react-router-dom'
import type { WizardScreen } from '../../../contract/generated.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'

/** Last part of the URL of the check page, which shows all answers before they are sent. */
export const CHECK = 'check'

/** Router state between wizard pages: errors to show, and whether Next returns to the check page. */
interface StepState {
  errors?: FieldErrors | 'own'
  toCheck?: boolean
}

export type StepNavigation = ReturnType<typeof useSteps>

/** Navigation among the pages of a wizard; the id of the draft stays in the URL, so that a reload finds it again. */
export function useSteps({ route, steps }: WizardScreen) {
  const { state } = useLocation()
  const navigate = useNavigate()
  const router = useContext(UNSAFE_DataRouterContext)?.router
  const pathOf = (id: string) => (id === steps[0].id ? route : `${route}/${id}`)
  const searchOf = (draft: number | undefined) => (draft === undefined ? '' : `?draft=${draft}`)
  return {
    state: (state ?? {}) as StepState,
    /** URL of a step or of the check page. */
    to: (id: string, draft: number | undefined) => pathOf(id) + searchOf(draft),
    go: (id: string, draft: number | undefined, more: StepState = {}, replace = false) =>
      navigate(pathOf(id) + searchOf(draft), { state: more, replace }),
    /** Adds the id of the draft to the URL of the current page. */
    name: (draft: number) => {
      // While the next step renders in a transition, `useLocation` still returns the step before it.
      const { pathname, state } = router!.state.location
      navigate(pathname + searchOf(draft), { state, replace: true })
    },
    isInside: (path: string) => path === route || path.startsWith(`${route}/`),
  }
}
