import { type RefObject, useState } from 'react'
import type { Step, WizardScreen } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { withoutBlanks } from '../../../contract/validateAnswers.ts'
import type { Values } from '../../../contract/when.ts'
import { useContract } from '../../core/contract.ts'
import type { FormHandle } from '../../form/FormView.tsx'
import { getAt, setAt } from '../../form/store/paths.ts'
import { defaultsFor } from '../../form/store/sections.ts'
import { stepsHangingOn } from './steps.ts'
import type { Wizard } from './useWizard.ts'

interface PendingChange {
  before: Values
  affected: Step[]
}

/**
 * Asks for confirmation before a change in the first step invalidates answers of later steps. `yes` clears those
 * steps, `no` reverts the first step.
 */
export function useFirstStep(screen: WizardScreen, wizard: Wizard, form: RefObject<FormHandle | null>) {
  const contract = useContract()
  const [pending, setPending] = useState<PendingChange>()
  const isAnswered = (step: Step) => {
    const at = step.at ?? ''
    const given = withoutBlanks({ given: getAt(wizard.latest(), at) })
    const defaults = withoutBlanks({ given: getAt(defaultsFor(wizard.sectionsOf(step)), at) })
    return given.given !== undefined && !isEqual(given, defaults)
  }
  return {
    isOpen: pending !== undefined,
    change: (next: Values, path: string) => {
      if (pending) return
      const affected = stepsHangingOn(contract, screen, wizard.conditionContext, path).filter(isAnswered)
      if (affected.length > 0) setPending({ before: wizard.latest(), affected })
      else wizard.put(next)
    },
    yes: () => {
      const { affected } = pending!
      let next = form.current!.document()
      for (const step of affected) next = setAt(next, step.at ?? '', undefined)
      form.current!.merge(Object.fromEntries(affected.map((step) => [step.at, undefined])))
      wizard.put(next)
      wizard.complete(wizard.completed.filter((id) => !affected.some((step) => step.id === id)))
      setPending(undefined)
    },
    no: () => {
      const { before } = pending!
      const now = form.current!.document()
      const changed = Object.keys({ ...now, ...before }).filter((key) => now[key] !== before[key])
      form.current!.merge(Object.fromEntries(changed.map((key) => [key, before[key]])))
      setPending(undefined)
    },
  }
}
