import { Button } from '@blueprintjs/core'
import { useEffect } from 'react'
import { Link, Navigate } from 'react-router-dom'
import type { Step, WizardScreen } from '../../../contract/generated.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { Actions } from '../../actions/Actions.tsx'
import { Busy } from '../../core/Busy.tsx'
import { ErrorBoundary } from '../../core/ErrorBoundary.tsx'
import { ErrorCard } from '../../core/ErrorCard.tsx'
import { Heading } from '../../core/Heading.tsx'
import { LoadingOverlay } from '../../core/LoadingOverlay.tsx'
import { useDocumentTitle } from '../../core/pageContext.ts'
import { useSaveShortcut } from '../../core/useSaveShortcut.ts'
import { WaitingNote } from '../../core/WaitingNote.tsx'
import { SaveDraft } from '../../form/drafts/SaveDraft.tsx'
import { UnsavedGuard } from '../../form/drafts/UnsavedGuard.tsx'
import { setAt } from '../../form/store/paths.ts'
import { ReadView } from '../../form/widgets/ReadView.tsx'
import { OnePage } from './OnePage.tsx'
import { WithSource } from './SourceRecord.tsx'
import { StepPage } from './StepPage.tsx'
import { stepOf } from './steps.ts'
import { useFinish } from './useFinish.ts'
import { CHECK, type StepNavigation, useSteps } from './useSteps.ts'
import { type Start, useWizard, type Wizard } from './useWizard.ts'
import { WizardChanged } from './WizardChanged.tsx'

const NO_PARAMS = {}

interface Props {
  screen: WizardScreen
  start: Start
  /** Id of the step in the URL; undefined for the first. */
  here: string | undefined
  /** Id of the step at which the draft was left. */
  resumeAt?: string
}

/** A running wizard: the list of its steps, and the current one. */
export function WizardRun({ screen, start, here, resumeAt }: Props) {
  const [first, ...later] = screen.steps
  const navigation = useSteps(screen)
  const wizard = useWizard(screen, start, here ?? first.id, navigation.name)
  const { autosave } = wizard
  const step = screen.steps.find((s) => s.id === (here ?? first.id))
  const heading = step?.title ?? 'Check your answers'
  useDocumentTitle(screen.onePage ? screen.title : `${heading} – ${screen.title}`)
  useEffect(() => {
    if (screen.onePage) return
    if (resumeAt && !here && resumeAt !== first.id) navigation.go(resumeAt, autosave.id(), {}, true)
    // Only when the draft is opened, not on each visit to the first step.
  }, [])

  const toolbar = <Actions actions={screen.toolbar} params={NO_PARAMS} />
  const guard = (
    <UnsavedGuard
      when={wizard.isDirty}
      stays={navigation.isInside}
      closing={() => wizard.isDirty() && !autosave.isSaved()}
      onLeave={wizard.leave}
      onKeep={screen.draft ? wizard.saveAndLeave : undefined}
      {...(screen.leave && { texts: screen.leave })}
    />
  )
  if (screen.onePage) {
    // The URL of a step redirects to the page with all steps.
    if (here) return <Navigate to={navigation.to(first.id, autosave.id())} replace />
    return (
      <>
        <div className="form-head">
          <Heading>{screen.title}</Heading>
          {toolbar}
        </div>
        {wizard.withs.error ? (
          <ErrorCard error={wizard.withs.error} onRetry={wizard.withs.retry} />
        ) : (
          <WithSource madeFrom={screen.madeFrom} id={start.source}>
            <OnePage {...{ screen, wizard }} />
          </WithSource>
        )}
        {guard}
      </>
    )
  }
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
        {step === first && toolbar}
        {/* A step that cannot be rendered must not take the document with it. */}
        <ErrorBoundary key={here} what={heading}>
          <Page {...{ screen, wizard, navigation, step }} isFirst={step === first} />
        </ErrorBoundary>
      </div>
      {guard}
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
  const { error, isReady, retry } = wizard.withs
  if (!isFirst && error) return <ErrorCard error={error} onRetry={retry} />
  if (!isFirst && !isReady) return <Busy lines={10} />
  if (step) return <StepPage key={step.id} {...{ screen, wizard, navigation, step }} />
  return <Answers {...{ screen, wizard, navigation }} />
}

function Answers({ screen, wizard, navigation }: Omit<PageProps, 'step' | 'isFirst'>) {
  // Errors lead to the first step that has any, and from there back to this page.
  const goTo = ({ id }: Step, errors: FieldErrors | 'own') =>
    navigation.go(id, wizard.autosave.id(), { errors, toCheck: true })
  const { finish, isBusy, waiting } = useFinish(screen, wizard, {
    onInvalid: (step) => goTo(step, 'own'),
    onRefused: (errors) => {
      const about = Object.keys(errors).map((path) => stepOf(screen, path))
      goTo(screen.steps.find((step) => about.includes(step))!, errors)
    },
  })
  useSaveShortcut(finish)
  return (
    <>
      <CheckPage screen={screen} wizard={wizard} to={(id) => navigation.to(id, wizard.autosave.id())} />
      <div className="form-bar">
        <WizardChanged wizard={wizard} />
        <Button text="Back" onClick={() => navigation.go(screen.steps.at(-1)!.id, wizard.autosave.id())} />
        <Button
          intent="primary"
          text="Confirm and save"
          loading={isBusy}
          aria-busy={isBusy}
          onClick={finish}
        />
        {screen.draft && <SaveDraft draft={wizard} />}
        <WaitingNote save={waiting} />
      </div>
      <LoadingOverlay text={`Saving: ${screen.title}…`} show={isBusy && !waiting} />
    </>
  )
}

interface CheckPageProps {
  screen: WizardScreen
  wizard: Wizard
  to: (stepId: string) => string
}

/** All answers by step, each with a link to change them that leads back here. */
function CheckPage({ screen, wizard, to }: CheckPageProps) {
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

interface StepListProps {
  steps: Step[]
  current: string
  completed: string[]
  to: (step: Step) => string
}

/** The list of steps; those after the first are listed once the first is valid. */
function StepList({ steps, current, completed, to }: StepListProps) {
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
