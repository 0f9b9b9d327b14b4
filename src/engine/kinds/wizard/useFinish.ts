import { useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Contract } from '../../../contract/contract.ts'
import type { Step, WizardScreen } from '../../../contract/generated.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { type ConditionContext, holds, isPlainObject, type Values } from '../../../contract/when.ts'
import { useWaitingSend } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { fieldErrors } from '../../core/fieldErrors.ts'
import { linkTo } from '../../core/link.ts'
import { notify } from '../../core/notices.ts'
import { mergeAt } from '../../form/store/mergeAt.ts'
import { getAt, setAt } from '../../form/store/paths.ts'
import { requestedVersions } from '../../form/store/requestedVersions.ts'
import { savedText } from '../../form/store/savedText.ts'
import { visibleValues } from '../../form/store/visibleValues.ts'
import type { MetaSnapshot } from './metas.ts'
import { stepSections } from './steps.ts'
import type { Wizard } from './useWizard.ts'

/** Callbacks for answers that cannot be saved. */
interface Failure {
  /** Called for the first step with errors; nothing was sent. */
  onInvalid: (step: Step) => void
  /** Called with the errors of the server by path. */
  onRefused: (errors: FieldErrors) => void
}

/** Sends all answers in one call, at most one at a time. */
export function useFinish(screen: WizardScreen, wizard: Wizard, { onInvalid, onRefused }: Failure) {
  const contract = useContract()
  const send = useWaitingSend<Values>(screen.save)
  const navigate = useNavigate()
  const isBusy = useRef(false)
  const { autosave, key } = wizard

  const done = async (reply: Values, text: string) => {
    await wizard.finish()
    notify({ kind: 'success', text })
    // Replaces the history entry, because its draft no longer exists.
    navigate((screen.then && linkTo(screen.then, reply)) ?? '/', { replace: true })
  }
  const finish = async () => {
    if (isBusy.current) return
    const wrong = screen.steps.find((step) => Object.keys(wizard.errorsOf(step)).length > 0)
    if (wrong) return onInvalid(wrong)
    isBusy.current = true
    try {
      const body = bodyOf(contract, screen, {
        document: wizard.latest(),
        conditionContext: wizard.conditionContext,
        metas: wizard.metas(),
      })
      const reply = await autosave.submitWith((id) =>
        send.mutateAsync({ body, key: key.current(), draft: id }),
      )
      const { saved } = screen
      const isSpecial = saved && holds(saved.when, { ...wizard.conditionContext, form: body })
      const text = savedText(contract, screen.save, screen.done, reply)
      await done(reply, isSpecial ? `${text}. ${saved.text}` : text)
    } catch (error) {
      key.renewIfUsed(error)
      const errors = fieldErrors(error)
      if (errors) onRefused(errors)
    } finally {
      isBusy.current = false
    }
  }
  return { finish: () => void finish(), isBusy: send.isPending, waiting: send.waiting }
}

/** The request body: the visible values of each step, and the versions of the metas when the person began. */
function bodyOf(
  contract: Contract,
  screen: WizardScreen,
  wizard: { document: Values; conditionContext: ConditionContext; metas: Record<string, MetaSnapshot> },
): Values {
  const { document, conditionContext, metas } = wizard
  const places = screen.steps.map((s) => s.at ?? '')
  const isOlder = Object.values(metas).some(({ version, since }) => since !== undefined && since !== version)
  let body: Values = {}
  for (const step of screen.steps)
    body = mergeAt(body, valuesOf(contract, step, { document, conditionContext, isOlder }), places)
  return { ...body, ...versionsOf(screen, wizard), ...screen.values }
}

interface StepOptions {
  document: Values
  conditionContext: ConditionContext
  /** A newer version of a meta was published after the person began. */
  isOlder: boolean
}

function valuesOf(
  contract: Contract,
  step: Step,
  { document, conditionContext, isOlder }: StepOptions,
): Values {
  const at = step.at ?? ''
  const value = getAt(document, at)
  if (step.existing && typeof value === 'number') return setAt({}, at, value)
  const because = step.existing?.because
  const reason = because ? getAt(document, because) : undefined
  const visible = visibleValues(
    stepSections(contract, step, conditionContext),
    document,
    conditionContext,
    isOlder,
  )
  if (because && reason) return setAt(visible, because, reason)
  if (!step.repeat) return visible
  // `row` only identifies rows while they are typed; records have ids of their own.
  const rows = (getAt(visible, at) ?? []) as Values[]
  return setAt(
    {},
    at,
    rows.map(({ row: _, ...record }) => record),
  )
}

/** The versions of the metas when the person began, and those of the names that the answers have since. */
function versionsOf(
  { steps, with: reads }: WizardScreen,
  { conditionContext, metas }: { conditionContext: ConditionContext; metas: Record<string, MetaSnapshot> },
): Values {
  const groups = steps.flatMap((step) => step.groups ?? [])
  const values = conditionContext.with ?? {}
  const first = Object.entries(values).map(([name, read]) => {
    const since = metas[name]?.since
    return [name, isPlainObject(read) && since !== undefined ? { ...read, version: since } : read]
  })
  const named = Object.keys(values).map((name) => [name, { version: metas[name]?.names }])
  return {
    ...requestedVersions(groups, reads, Object.fromEntries(first)),
    ...requestedVersions(groups, reads, Object.fromEntries(named), 'names_version'),
  }
}
