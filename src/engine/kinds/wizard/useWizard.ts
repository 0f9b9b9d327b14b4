import { useEffect, useMemo, useRef, useState } from 'react'
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
import { stepSections, withinForm } from './steps.ts'

/** Initial state of a wizard: empty, or from a draft. */
export interface Start {
  document: Values
  completed: string[]
  metas: Record<string, MetaSnapshot>
  draft?: DraftRef
  /** A newer document than the saved one. */
  unsaved?: Values
}

/** The state of a wizard: document, completed steps and draft. Rendering and navigation are elsewhere. */
export function useWizard(screen: WizardScreen, start: Start, here: string, onDraft: (id: number) => void) {
  const contract = useContract()
  const user = useUser()
  const [document, setDocument] = useState(start.unsaved ?? start.document)
  const [completed, setCompleted] = useState(start.completed)
  const state = useRef({ document, completed, metas: start.metas, here })
  state.current.here = here
  const key = useFormKey()

  const known = screen.steps.find((s) => s.existing)
  const chosen = getAt(document, known?.at ?? '')
  const read = typeof chosen === 'number' ? known?.existing?.read : undefined
  const record = useRead<Values>(read, { params: { id: chosen } }).data
  const form = useMemo(
    () => (read && record ? setAt(document, known?.at ?? '', record) : document),
    [read, record, document, known],
  )
  const withs = useWith(screen.with, { form, user })
  const conditionContext = useMemo<ConditionContext>(
    () => ({ with: withs.values, user, withDefaults: true }),
    [withs.values, user],
  )

  const chosenFirst = useFirstChoice(contract, screen, document)

  const draft = useDraft({
    kind: screen.draft,
    address: screen.route,
    known: start.draft,
    onCreate: onDraft,
    content: () => {
      const { document, completed, metas, here } = state.current
      const name = draftNameOf(contract, screen, document, record)
      const step = screen.steps.findIndex(({ id }) => id === here)
      const place = step < 0 ? 'all steps' : `step ${step + 1} of ${screen.steps.length}`
      const where = screen.onePage ? undefined : place
      const title = [name || 'No name yet', chosenFirst, where].filter(Boolean).join(' · ')
      return { title, payload: { document, step: here, completed, metas } }
    },
  })
  const put = (next: Values) => {
    state.current.document = next
    setDocument(next)
    draft.markChanged()
  }
  /** Sets default values, without marking the document as changed. */
  const seed = (next: Values) => {
    state.current.document = next
    setDocument(next)
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

  const [metaChange, setMetaChange] = useState<FormChanges>()
  useEffect(() => {
    if (!withs.isReady) return
    const facts = metaSnapshots(contract, screen, conditionContext)
    const change = metaChangeOf(state.current.metas, facts, state.current.document)
    if (change) setMetaChange((earlier) => addChanges(earlier, change))
    state.current.metas = withSince(state.current.metas, facts)
  }, [contract, screen, conditionContext, withs.isReady])

  // Cached, so that an answer does not create new sections for a step.
  const sectionsOf = useMemo(() => {
    const known = new Map<Step, FormSection[]>()
    return (step: Step) => {
      const found = known.get(step)
      if (found) return found
      const ofStep = stepSections(contract, step, conditionContext)
      const sections = screen.onePage ? withinForm(screen, ofStep) : ofStep
      known.set(step, sections)
      return sections
    }
  }, [contract, screen, conditionContext])
  const errorsOf = (step: Step): FieldErrors => {
    const at = step.at ?? ''
    const value = getAt(state.current.document, at)
    if (step.existing && typeof value === 'number') return {}
    if (step.existing && !isSet(value))
      return { [at]: [`Enter a new ${step.existing.label} or choose one that is there`] }
    return validateForm(sectionsOf(step), state.current.document, conditionContext)
  }
  return {
    document,
    latest: () => state.current.document,
    /** Snapshots of the metas by their name in the screen's `with`. */
    metas: () => state.current.metas,
    put,
    seed,
    completed,
    complete,
    record: read ? record : undefined,
    conditionContext,
    withs,
    ...draft,
    /** Idempotency key of the call that saves the wizard. */
    key,
    metaChange,
    dismissMetaChange: () => setMetaChange(undefined),
    sectionsOf,
    errorsOf,
  }
}

export type Wizard = ReturnType<typeof useWizard>

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
