import { Button } from '@blueprintjs/core'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { Step, WizardScreen } from '../../../contract/generated.ts'
import { type FieldErrors, withoutBlanks } from '../../../contract/validateAnswers.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import { useSaveShortcut } from '../../core/useSaveShortcut.ts'
import { SaveDraft } from '../../form/drafts/SaveDraft.tsx'
import { Question, UNSAVED } from '../../form/drafts/UnsavedGuard.tsx'
import { ErrorSummary } from '../../form/ErrorSummary.tsx'
import { type FormHandle, type FormSection, FormView } from '../../form/FormView.tsx'
import type { OnChange } from '../../form/store/formStore.ts'
import { mergeAt, placesOf } from '../../form/store/mergeAt.ts'
import { getAt, setAt } from '../../form/store/paths.ts'
import { defaultsFor } from '../../form/store/sections.ts'
import { ExistingStep } from './ExistingStep.tsx'
import { FindExisting } from './FindExisting.tsx'
import { WithDuplicates } from './LikelyDuplicates.tsx'
import { withoutOnlyChoices } from './steps.ts'
import { useFirstStep } from './useFirstStep.ts'
import { CHECK, type StepNavigation } from './useSteps.ts'
import type { Wizard } from './useWizard.ts'
import { WizardChanged } from './WizardChanged.tsx'

interface Props {
  screen: WizardScreen
  wizard: Wizard
  navigation: StepNavigation
  step: Step
}

/** One step with its fields, and the Back and Next buttons. Only Next validates it. */
export function StepPage({ screen, wizard, navigation, step }: Props) {
  const form = useRef<FormHandle>(null)
  const first = useFirstStep(screen, wizard, form)
  // A completed step does not select an only choice again, because the person may have cleared it.
  const [isDone] = useState(wizard.completed.includes(step.id))
  const ofStep = wizard.sectionsOf(step)
  const sections = useMemo(() => (isDone ? withoutOnlyChoices(ofStep) : ofStep), [isDone, ofStep])
  const at = step.at ?? ''
  const isFirst = step === screen.steps[0]
  const [initialDocument] = useState(() => withDefaults(step, wizard.latest(), sections))
  const seed = useRef(wizard.seed)
  useEffect(() => seed.current(initialDocument), [initialDocument])
  const { errors: stateErrors, toCheck } = navigation.state
  const [ownErrors, setOwnErrors] = useState(() => {
    const validationErrors = stateErrors === 'own' ? wizard.errorsOf(step) : stateErrors
    return validationErrors && { validationErrors, times: 0 }
  })

  const change = (next: Values, path: string, isDefault: boolean) => {
    // An existing record was chosen meanwhile: ignore late changes of the form.
    if (step.existing && typeof getAt(wizard.latest(), at) === 'number') return
    // A default that the form set does not count as a change.
    if (isDefault && !wizard.isDirty()) return wizard.seed(next)
    if (isFirst) first.change(next, path)
    else wizard.put(next)
  }
  const goToStep = (id: string) => {
    form.current?.flush()
    wizard.autosave.flush().catch(() => undefined)
    navigation.go(id, wizard.autosave.id())
  }
  const next = async () => {
    if (first.isOpen) return
    const validationErrors = form.current ? form.current.submit() : wizard.errorsOf(step)
    if (Object.keys(validationErrors).length > 0) {
      if (!form.current) setOwnErrors({ validationErrors, times: (ownErrors?.times ?? 0) + 1 })
      return
    }
    if (step.existing && (await wizard.refuseWithoutReason())) return
    wizard.complete([...new Set([...wizard.completed, step.id])])
    goToStep(toCheck ? CHECK : (beside(screen, step, 1) ?? CHECK))
  }
  useSaveShortcut(next)
  const back = beside(screen, step, -1)
  const value = getAt(wizard.document, at)
  const put = (next: unknown) => wizard.put(setAt(wizard.latest(), at, next))
  const putAt = (path: string, next: unknown) => putInForm(form, wizard, path, next)
  const found = screen.steps.find(({ id }) => id === step.finds)
  const message = ownErrors?.validationErrors[at]?.[0]
  const questions = (
    <StepForm
      form={form}
      sections={sections}
      document={withDefaults(step, wizard.latest(), sections)}
      conditionContext={wizard.conditionContext}
      errors={stateErrors}
      onChange={change}
      folds={`${screen.route} ${step.id}`}
    />
  )
  return (
    <>
      {found?.existing?.box && (
        <FindExisting step={found} wizard={wizard} onChange={(next) => putAt(found.at ?? '', next)} />
      )}
      {step.existing ? (
        <>
          {message && <ErrorSummary key={ownErrors?.times} errors={{ [at]: [message] }} idPrefix={step.id} />}
          <WithDuplicates
            existing={step.existing}
            {...{ value, wizard }}
            onChoose={put}
            onBecause={(reason) => putAt(step.existing!.because!, reason)}
          >
            <ExistingStep {...{ step, wizard, message }} idPrefix={step.id} onChange={put}>
              {questions}
            </ExistingStep>
          </WithDuplicates>
        </>
      ) : (
        questions
      )}
      <div className="form-bar">
        <WizardChanged wizard={wizard} />
        {back && <Button text="Back" onClick={() => goToStep(back)} />}
        <Button intent="primary" text="Next" loading={wizard.isChecking} onClick={next} />
        {screen.draft && <SaveDraft draft={wizard} form={form} />}
      </div>
      <Question
        isOpen={first.isOpen}
        texts={{ ...UNSAVED, yes: 'Continue' }}
        onYes={first.yes}
        onNo={first.no}
      />
    </>
  )
}

function beside({ steps }: WizardScreen, step: Step, by: number): string | undefined {
  return steps[steps.indexOf(step) + by]?.id
}

/** Sets a value of the document that the form has too, but does not show. */
export function putInForm(
  form: RefObject<FormHandle | null>,
  wizard: Wizard,
  path: string,
  next: unknown,
): void {
  // Clear the place first: `merge` would merge an object into the previous answers.
  form.current?.merge(setAt({}, path, undefined))
  form.current?.merge(setAt({}, path, next))
  wizard.put(setAt(wizard.latest(), path, next))
}

/** Adds the default values of a step to a document that has no values of it yet. */
export function withDefaults(step: Step, document: Values, sections: FormSection[]): Values {
  const isStarted = withoutBlanks({ given: getAt(document, step.at ?? '') }).given !== undefined
  if (step.existing || isStarted) return document
  return mergeAt(document, defaultsFor(sections), placesOf(sections))
}

interface StepFormProps {
  form: RefObject<FormHandle | null>
  sections: FormSection[]
  document: Values
  conditionContext: ConditionContext
  /** Errors to show on mount: those of the server, or 'own' for those of the validation. */
  errors: FieldErrors | 'own' | undefined
  onChange: OnChange
  /** Name under which the folded groups of the step are stored. */
  folds: string
}

/** The form of a step, over the whole document. */
function StepForm({ form, sections, document, conditionContext, errors, onChange, folds }: StepFormProps) {
  useEffect(() => {
    if (errors === 'own') form.current?.submit()
    else if (errors) form.current?.showErrors(errors)
  }, [form, errors])
  return (
    <FormView
      ref={form}
      sections={sections}
      initial={document}
      conditionContext={conditionContext}
      onChange={onChange}
      folds={folds}
    />
  )
}
