import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { Contract } from '../../../contract/contract.ts'
import type { Step, WizardScreen } from '../../../contract/generated.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { type ConditionContext, isPlainObject, isSet, type Values } from '../../../contract/when.ts'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { useFormKey } from '../../core/idempotencyKey.ts'
import { useLookupItems } from '../../core/lookups.ts'
import { useUser } from '../../core/user.ts'
import { useWith } from '../../core/useWith.ts'
import type { DraftRef } from '../../form/drafts/autosave.ts'
import { useDraft } from '../../form/drafts/useDraft.ts'
import { addChanges, type FormChanges } from '../../form/store/formChanges.ts'
import { getAt, join, setAt } from '../../form/store/paths.ts'
import type { FormSection } from '../../form/store/sections.ts'
import { validateForm } from '../../form/store/validateForm.ts'
import { type MetaSnapshot, metaChangeOf, metaSnapshots, withSince } from './metas.ts'
import { seenAtSteps } from './seenAtSteps.ts'
import { stepSections, withinForm } from './steps.ts'
import { useNewness } from './useNewness.ts'

/** Initial state of a wizard: empty, or from a draft. */
export interface Start {
  document: Values
  completed: string[]
  metas: Record<string, MetaSnapshot>
  draft?: DraftRef
  /** Id of the record that it is made from, if there is one. */
  source?: unknown
  /** A newer document than the saved one. */
  unsaved?: Values
}

/** The parts of a wizard's state that its draft stores, as of the latest change. */
interface Latest extends Pick<Start, 'document' | 'completed' | 'metas'> {
  here: string
}

/** The state of a wizard: document, completed steps and draft. Rendering and navigation are elsewhere. */
export function useWizard(screen: WizardScreen, start: Start, here: string, onDraft: (id: number) => void) {
  const contract = useContract()
  const user = useUser()
  const [document, setDocument] = useState(start.unsaved ?? start.document)
  const [completed, setCompleted] = useState(start.completed)
  const state = useRef<Latest>({ document, completed, metas: start.metas, here })
  state.current.here = here
  const key = useFormKey()
  const { record, form } = useExistingRecord(screen, document)
  const withs = useWith(screen.with, { form, user })
  const conditionContext = useMemo<ConditionContext>(() => {
    const context = { with: withs.values, user, withDefaults: true }
    return { ...context, seenAt: seenAtSteps(contract, screen, context, form) }
  }, [contract, screen, withs.values, user, form])
  const chosenFirst = useFirstChoice(contract, screen, document)
  const draft = useDraft({
    kind: screen.draft,
    address: screen.route,
    known: start.draft,
    onCreate: onDraft,
    content: () => {
      const name = draftNameOf(contract, screen, state.current.document, record)
      return draftContent(screen, state.current, [name || 'No name yet', chosenFirst])
    },
  })
  /** Sets default values, without marking the document as changed. */
  const seed = (next: Values) => {
    state.current.document = next
    setDocument(next)
  }
  const put = (next: Values) => {
    seed(next)
    draft.markChanged()
  }
  const complete = (ids: string[]) => {
    state.current.completed = ids
    setCompleted(ids)
    draft.scheduleSave()
  }
  useEffect(() => {
    if (start.unsaved) put(start.unsaved)
    // Runs once, on mount.
  }, [])
  // A step change is saved too, because the draft contains the current step.
  const latestDraft = useRef(draft)
  latestDraft.current = draft
  useEffect(() => {
    if (here && latestDraft.current.isDirty()) latestDraft.current.scheduleSave()
  }, [here])
  const newness = useNewness(screen, state)
  const metaChange = useMetaChange(screen, state, conditionContext, withs.isReady)
  const sectionsOf = useStepSections(contract, screen, conditionContext)
  return {
    document,
    latest: () => state.current.document,
    /** Snapshots of the metas by their name in the screen's `with`. */
    metas: () => state.current.metas,
    put,
    seed,
    completed,
    complete,
    record,
    conditionContext,
    withs,
    ...draft,
    /** Idempotency key of the call that saves the wizard. */
    key,
    ...metaChange,
    ...newness,
    sectionsOf,
    errorsOf: (step: Step) => errorsOfStep(step, state.current.document, sectionsOf, conditionContext),
  }
}

export type Wizard = ReturnType<typeof useWizard>

/** The record that was chosen in a step for existing ones, and the document with it in place of its id. */
function useExistingRecord({ steps }: WizardScreen, document: Values) {
  const step = steps.find(({ existing }) => existing)
  const at = step?.at ?? ''
  const chosen = getAt(document, at)
  const read = typeof chosen === 'number' ? step?.existing?.read : undefined
  const { data } = useRead<Values>(read, { params: { id: chosen } })
  const record = read ? data : undefined
  const form = useMemo(() => (record ? setAt(document, at, record) : document), [record, document, at])
  return { record, form }
}

function draftContent(
  { steps, onePage }: WizardScreen,
  { document, completed, metas, here }: Latest,
  names: (string | undefined)[],
) {
  const step = steps.findIndex(({ id }) => id === here)
  const place = step < 0 ? 'all steps' : `step ${step + 1} of ${steps.length}`
  const title = [...names, onePage ? undefined : place].filter(Boolean).join(' · ')
  return { title, payload: { document, step: here, completed, metas } }
}

/** What versions of the forms that were published since the start changed, until the person dismisses it. */
function useMetaChange(
  screen: WizardScreen,
  state: RefObject<Latest>,
  conditionContext: ConditionContext,
  isReady: boolean,
) {
  const contract = useContract()
  const [metaChange, setMetaChange] = useState<FormChanges>()
  useEffect(() => {
    if (!isReady) return
    const facts = metaSnapshots(contract, screen, conditionContext)
    const change = metaChangeOf(state.current.metas, facts, state.current.document)
    if (change) setMetaChange((earlier) => addChanges(earlier, change))
    state.current.metas = withSince(state.current.metas, facts)
  }, [contract, screen, state, conditionContext, isReady])
  return { metaChange, dismissMetaChange: () => setMetaChange(undefined) }
}

type SectionsOf = (step: Step) => FormSection[]

/** The sections of each step; cached, so that an answer does not create new ones. */
function useStepSections(
  contract: Contract,
  screen: WizardScreen,
  conditionContext: ConditionContext,
): SectionsOf {
  return useMemo(() => {
    const known = new Map<Step, FormSection[]>()
    return (step) => {
      const found = known.get(step)
      if (found) return found
      const ofStep = stepSections(contract, step, conditionContext)
      const sections = screen.onePage ? withinForm(screen, ofStep) : ofStep
      known.set(step, sections)
      return sections
    }
  }, [contract, screen, conditionContext])
}

function errorsOfStep(
  step: Step,
  document: Values,
  sectionsOf: SectionsOf,
  conditionContext: ConditionContext,
): FieldErrors {
  const at = step.at ?? ''
  const value = getAt(document, at)
  if (step.existing && typeof value === 'number') return {}
  if (step.existing && !isSet(value))
    return { [at]: [`Enter a new ${step.existing.label} or choose an existing one`] }
  return validateForm(sectionsOf(step), document, conditionContext)
}

/**
 * Label of the choice in the first field about the record itself, such as the service; undefined if it is no lookup, or
 * nothing is chosen yet.
 */
function useFirstChoice(contract: Contract, { steps }: WizardScreen, document: Values) {
  const first = steps.find((step) => !step.existing) ?? steps[0]
  const [field] = first.fields ?? first.groups?.[0].fields ?? []
  const property = typeof field === 'string' ? contract.entities[first.entity!]?.properties[field] : undefined
  const chosen = property?.lookup ? getAt(document, join(first.at ?? '', field as string)) : undefined
  return useLookupItems(property?.lookup, typeof chosen === 'number' ? [chosen] : [])?.[0]?.label
}

/** Name of the person that a draft is about: the required texts of their record ('Ann Ames'); '' if there are none. */
function draftNameOf(
  contract: Contract,
  { steps }: WizardScreen,
  document: Values,
  record: Values | undefined,
): string {
  const step = steps.find((s) => s.existing)
  const entity = step?.entity && contract.entities[step.entity]
  if (!step || !entity) return ''
  const value = record ?? getAt(document, step.at ?? '')
  const names = entity.required ?? []
  const texts = isPlainObject(value) ? names.map((name) => value[name]) : []
  return texts.filter((text) => typeof text === 'string').join(' ')
}
