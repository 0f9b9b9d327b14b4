import { Button, Callout, Classes } from '@blueprintjs/core'
import { useEffect } from 'react'
import { Link, Navigate } from 'react-router-dom'
import type { Step, WizardScreen } from '../../contract/generated.ts'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import { Actions } from '../actions/Actions.tsx'
import { SaveDraft } from '../drafts/SaveDraft.tsx'
import { UnsavedGuard } from '../drafts/UnsavedGuard.tsx'
import { setAt } from '../form/paths.ts'
import { ReadView } from '../form/ReadView.tsx'
import { Busy } from '../page/Busy.tsx'
import { ErrorCard } from '../page/ErrorCard.tsx'
import { Heading } from '../page/Heading.tsx'
import { LoadingOverlay } from '../page/LoadingOverlay.tsx'
import { useDocumentTitle } from '../page/pageContext.ts'
import { useSaveShortcut } from '../runtime/useSaveShortcut.ts'
import type { MetaChange } from './metas.ts'
import { OnePage } from './OnePage.tsx'
import { StepPage } from './StepPage.tsx'
import { stepOf } from './steps.ts'
import { useFinish } from './useFinish.ts'
import { CHECK, type StepNavigation, useSteps } from './useSteps.ts'
import { type Start, useWizard, type Wizard } from './useWizard.ts'

const NO_PARAMS = {}

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
  useDocumentTitle(screen.onePage ? screen.title : `${heading} – ${screen.title}`)
  useEffect(() => {
    if (screen.onePage) return
    if (resumeAt && !here && resumeAt !== first.id) navigation.go(resumeAt, autosave.id(), {}, true)
    // Only where the draft is opened, not whenever the first step is.
  }, [])

  const toolbar = <Actions actions={screen.toolbar} params={NO_PARAMS} />
  const notice = wizard.metaChange && (
    <QuestionsChanged change={wizard.metaChange} onDismiss={wizard.dismissMetaChange} />
  )
  const guard = (
    <UnsavedGuard
      when={wizard.isDirty}
      stays={navigation.isInside}
      closing={() => wizard.isDirty() && !autosave.isSaved()}
      onLeave={wizard.leave}
      {...(screen.leave && { texts: screen.leave })}
    />
  )
  if (screen.onePage) {
    // A step's own address leads to the page that has them all.
    if (here) return <Navigate to={navigation.to(first.id, autosave.id())} replace />
    return (
      <>
        <div className="form-head">
          <Heading>{screen.title}</Heading>
          {toolbar}
        </div>
        {notice}
        {wizard.withs.error ? <ErrorCard error={wizard.withs.error} /> : <OnePage {...{ screen, wizard }} />}
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
        {notice}
        <Page {...{ screen, wizard, navigation, step }} isFirst={step === first} />
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
  if (!isFirst && wizard.withs.error) return <ErrorCard error={wizard.withs.error} />
  if (!isFirst && !wizard.withs.isReady) return <Busy lines={10} />
  if (step) return <StepPage key={step.id} {...{ screen, wizard, navigation, step }} />
  return <Answers {...{ screen, wizard, navigation }} />
}

function Answers({ screen, wizard, navigation }: Omit<PageProps, 'step' | 'isFirst'>) {
  // What is wrong leads to the first step that it is about, and from there back here.
  const goTo = ({ id }: Step, errors: FieldErrors | 'own') =>
    navigation.go(id, wizard.autosave.id(), { errors, toCheck: true })
  const { finish, isBusy } = useFinish(screen, wizard, {
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
        <Button text="Back" onClick={() => navigation.go(screen.steps.at(-1)!.id, wizard.autosave.id())} />
        <Button
          intent="primary"
          text="Confirm and save"
          loading={isBusy}
          aria-busy={isBusy}
          onClick={finish}
        />
        {screen.draft && <SaveDraft onSave={wizard.saveAndLeave} savedAt={wizard.savedAt} />}
      </div>
      <LoadingOverlay text={`Saving: ${screen.title}…`} show={isBusy} />
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

/** What changed in the questions since this was begun. */
function QuestionsChanged({ change, onDismiss }: { change: MetaChange; onDismiss: () => void }) {
  return (
    <Callout className="form-note" role="status">
      <h2 className={Classes.HEADING}>The questions have changed since you began</h2>
      {change.added.length > 0 && <p>New: {change.added.join(', ')}</p>}
      {change.removed.length > 0 && (
        <p>No longer asked: {change.removed.join(', ')}. Your answers to these are kept.</p>
      )}
      <Button size="small" text="Go on" onClick={onDismiss} />
    </Callout>
  )
}

interface StepListProps {
  steps: Step[]
  current: string
  completed: string[]
  to: (step: Step) => string
}

/** Where the person is on the way; the steps after the first come up once it is known what they ask. */
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
