import { Button } from '@blueprintjs/core'
import { useEffect } from 'react'
import { Navigate } from 'react-router-dom'
import type { WizardScreen } from '../../contract/generated.ts'
import { SaveDraft } from '../drafts/SaveDraft.tsx'
import { UnsavedGuard } from '../drafts/UnsavedGuard.tsx'
import { Busy } from '../page/Busy.tsx'
import { ErrorCard } from '../page/ErrorCard.tsx'
import { Heading } from '../page/Heading.tsx'
import { useDocumentTitle } from '../page/pageContext.ts'
import { useSaveShortcut } from '../runtime/useSaveShortcut.ts'
import { CheckPage } from './CheckPage.tsx'
import { QuestionsChanged } from './QuestionsChanged.tsx'
import { StepList } from './StepList.tsx'
import { StepPage } from './StepPage.tsx'
import { useFinish } from './useFinish.ts'
import { CHECK, type StepNavigation, useSteps } from './useSteps.ts'
import { type Start, useWizard, type Wizard } from './useWizard.ts'

interface Props {
  screen: WizardScreen
  start: Start
  /** The step that the address names; undefined for the first. */
  here: string | undefined
  /** Where a draft was left. */
  resumeAt?: string
}

/** A wizard at work: the list of its steps, and the one the address names. */
export function WizardRun({ screen, start, here, resumeAt }: Props) {
  const [first, ...later] = screen.steps
  const navigation = useSteps(screen)
  const wizard = useWizard(screen, start, here ?? first.id, navigation.name)
  const { autosave } = wizard
  const step = screen.steps.find((s) => s.id === (here ?? first.id))
  const heading = step?.title ?? 'Check your answers'
  useDocumentTitle(`${heading} – ${screen.title}`)
  useEffect(() => {
    if (resumeAt && !here && resumeAt !== first.id) navigation.go(resumeAt, autosave.id(), {}, true)
    // Only where the draft is opened, not whenever the first step is.
  }, [])

  const isReachable = Object.keys(wizard.errorsOf(first)).length === 0
  const isElsewhere = step !== first && (!isReachable || (!step && here !== CHECK))
  if (isElsewhere) return <Navigate to={navigation.to(first.id, autosave.id())} replace />
  return (
    <div className="wizard">
      <div className="wizard-side">
        <StepList
          steps={isReachable ? [first, ...later] : [first]}
          current={here ?? first.id}
          completed={wizard.completed}
          to={({ id }) => navigation.to(id, autosave.id())}
        />
      </div>
      <div className="wizard-step">
        <p className="wizard-caption">{screen.title}</p>
        <Heading>{heading}</Heading>
        {wizard.metaChange && (
          <QuestionsChanged change={wizard.metaChange} onDismiss={wizard.dismissMetaChange} />
        )}
        <Page {...{ screen, wizard, navigation, step }} isFirst={step === first} />
      </div>
      <UnsavedGuard
        when={wizard.isDirty}
        stays={navigation.isInside}
        closing={() => wizard.isDirty() && !autosave.isSaved()}
        onLeave={wizard.discard}
        {...(screen.leave && { texts: screen.leave })}
      />
    </div>
  )
}

interface PageProps {
  screen: WizardScreen
  wizard: Wizard
  navigation: StepNavigation
  step: WizardScreen['steps'][number] | undefined
  isFirst: boolean
}

function Page({ screen, wizard, navigation, step, isFirst }: PageProps) {
  if (!isFirst && wizard.withs.error) return <ErrorCard error={wizard.withs.error} />
  if (!isFirst && !wizard.withs.isReady) return <Busy lines={10} />
  if (step) return <StepPage key={step.id} {...{ screen, wizard, navigation, step }} />
  return <Answers {...{ screen, wizard, navigation }} />
}

function Answers({ screen, wizard, navigation }: Omit<PageProps, 'step' | 'isFirst'>) {
  const { finish, isBusy } = useFinish(screen, wizard, navigation)
  useSaveShortcut(finish)
  return (
    <>
      <CheckPage screen={screen} wizard={wizard} to={(id) => navigation.to(id, wizard.autosave.id())} />
      <div className="form-bar">
        <Button text="Back" onClick={() => navigation.go(screen.steps.at(-1)!.id, wizard.autosave.id())} />
        <Button
          intent="primary"
          text="Confirm and save"
          loading={isBusy}
          aria-busy={isBusy}
          onClick={finish}
        />
        {screen.draft && <SaveDraft onSave={wizard.saveAndLeave} />}
      </div>
    </>
  )
}
