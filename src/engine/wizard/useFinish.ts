import { useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import type { WizardScreen } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { useSend } from '../runtime/calls.ts'
import { useContract } from '../runtime/contract.ts'
import { fieldErrors } from '../runtime/fieldErrors.ts'
import { linkTo } from '../runtime/link.ts'
import { notify } from '../runtime/notices.ts'
import { bodyOf } from './body.ts'
import { stepOf } from './steps.ts'
import type { StepNavigation } from './useSteps.ts'
import type { Wizard } from './useWizard.ts'

/** Sends all answers in one call, once; what is wrong leads to the first step that it is about. */
export function useFinish(screen: WizardScreen, wizard: Wizard, navigation: StepNavigation) {
  const contract = useContract()
  const send = useSend<Values>(screen.save)
  const navigate = useNavigate()
  const isBusy = useRef(false)
  const { autosave } = wizard

  const done = async (reply: Values) => {
    await wizard.finish()
    notify({ kind: 'success', text: 'Saved' })
    navigate((screen.then && linkTo(screen.then, reply)) ?? '/')
  }
  const failed = (error: unknown) => {
    const errors = fieldErrors(error)
    if (!errors) return
    const about = Object.keys(errors).map((path) => stepOf(screen, path).id)
    const step = screen.steps.find(({ id }) => about.includes(id))!
    navigation.go(step.id, autosave.id(), { errors, toCheck: true })
  }
  const finish = async () => {
    if (isBusy.current) return
    const wrong = screen.steps.find((step) => Object.keys(wizard.errorsOf(step)).length > 0)
    if (wrong) return navigation.go(wrong.id, autosave.id(), { errors: 'own', toCheck: true })
    isBusy.current = true
    try {
      const body = bodyOf(contract, screen, {
        document: wizard.latest(),
        conditionContext: wizard.conditionContext,
        metas: wizard.metas(),
      })
      await done(await autosave.submitWith((id) => send.mutateAsync({ body, key: wizard.key, draft: id })))
    } catch (error) {
      failed(error)
    } finally {
      isBusy.current = false
    }
  }
  return { finish: () => void finish(), isBusy: send.isPending }
}
