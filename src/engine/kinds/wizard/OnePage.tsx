import { Button } from '@blueprintjs/core'
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { WizardScreen } from '../../../contract/generated.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { isPlainObject, type Values } from '../../../contract/when.ts'
import { LoadingOverlay } from '../../core/LoadingOverlay.tsx'
import { useSaveShortcut } from '../../core/useSaveShortcut.ts'
import { WaitingNote } from '../../core/WaitingNote.tsx'
import { SaveDraft } from '../../form/drafts/SaveDraft.tsx'
import { ErrorSummary } from '../../form/ErrorSummary.tsx'
import { type FormHandle, FormView } from '../../form/FormView.tsx'
import { getAt } from '../../form/store/paths.ts'
import { ExistingStep } from './ExistingStep.tsx'
import { WithDuplicates } from './LikelyDuplicates.tsx'
import { putInForm, withDefaults } from './StepPage.tsx'
import { useFinish } from './useFinish.ts'
import type { Wizard } from './useWizard.ts'
import { WizardChanged } from './WizardChanged.tsx'

interface Props {
  screen: WizardScreen
  wizard: Wizard
}

/** All steps of a wizard on one page, as one form that one button saves. */
export function OnePage({ screen, wizard }: Props) {
  const form = useRef<FormHandle>(null)
  const idPrefix = useId()
  const [lead] = screen.steps
  const at = lead.at ?? ''
  const value = getAt(wizard.document, at)
  // The fields of the first step are hidden for an existing record, and until it is known whether it exists.
  const isAsked = !lead.existing || isPlainObject(value)
  const { sectionsOf } = wizard
  const sections = useMemo(
    () => screen.steps.flatMap((step) => (step === lead && !isAsked ? [] : sectionsOf(step))),
    [screen, lead, isAsked, sectionsOf],
  )
  const [initialDocument] = useState(wizard.latest)
  useStepDefaults(screen, wizard, form)

  const [summary, setSummary] = useState<{ errors: FieldErrors; times: number }>()
  const show = (errors: FieldErrors) => setSummary({ errors, times: (summary?.times ?? 0) + 1 })
  const { finish, isBusy, waiting } = useFinish(screen, wizard, {
    onInvalid: (step) => show(wizard.errorsOf(step)),
    onRefused: (errors) => {
      form.current!.showErrors(errors)
      show(form.current!.summary()?.errors ?? errors)
    },
  })
  const save = async () => {
    const errors = { ...(isAsked ? {} : wizard.errorsOf(lead)), ...form.current!.submit() }
    show(errors)
    if (Object.keys(errors).length > 0 || (await wizard.refuseWithoutReason())) return
    finish()
  }
  useSaveShortcut(save)
  const isSaving = isBusy || wizard.isChecking

  const change = (next: Values, _: string, isDefault: boolean) => {
    // A default that the form set does not count as a change.
    if (isDefault && !wizard.isDirty()) wizard.seed(next)
    else wizard.put(next)
  }
  const choose = (next: unknown) => putInForm(form, wizard, at, next)
  const errors = summary?.errors ?? {}
  return (
    <>
      {Object.keys(errors).length > 0 && (
        <ErrorSummary key={summary?.times} errors={errors} idPrefix={idPrefix} />
      )}
      {lead.existing && (
        <ExistingStep
          {...{ wizard, idPrefix }}
          step={lead}
          message={isAsked ? undefined : errors[at]?.[0]}
          onChange={choose}
        >
          {null}
        </ExistingStep>
      )}
      <WithDuplicates
        existing={lead.existing}
        {...{ value, wizard }}
        onChoose={choose}
        onBecause={(reason) => putInForm(form, wizard, lead.existing!.because!, reason)}
      >
        <FormView
          ref={form}
          hideSummary
          folds={screen.route}
          {...{ sections, idPrefix }}
          initial={initialDocument}
          conditionContext={wizard.conditionContext}
          onChange={change}
        />
      </WithDuplicates>
      <div className="form-bar">
        <WizardChanged wizard={wizard} />
        <Button intent="primary" text="Save" loading={isSaving} aria-busy={isSaving} onClick={save} />
        {screen.draft && <SaveDraft draft={wizard} form={form} />}
        <WaitingNote save={waiting} />
      </div>
      <LoadingOverlay text={`Saving: ${screen.title}…`} show={isBusy && !waiting} />
    </>
  )
}

/** Sets the defaults of each step once; those of a meta as soon as it is loaded. */
function useStepDefaults(
  { steps }: WizardScreen,
  { latest, seed, sectionsOf }: Wizard,
  form: RefObject<FormHandle | null>,
) {
  const seeded = useRef(new Set<string>())
  useEffect(() => {
    let document = latest()
    for (const step of steps) {
      const sections = sectionsOf(step)
      if (seeded.current.has(step.id) || sections.some(({ groups }) => groups.length === 0)) continue
      seeded.current.add(step.id)
      document = withDefaults(step, document, sections)
    }
    if (document === latest()) return
    form.current!.merge(document)
    seed(document)
  }, [sectionsOf])
}
