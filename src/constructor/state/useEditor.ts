import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { isEqual } from '../../contract/applyChanges.ts'
import type { Group } from '../../contract/generated.ts'
import { choiceCount } from '../../contract/meta/checkMeta.ts'
import { usesOf } from '../../contract/meta/fieldUses.ts'
import type { Known, MetaName, Metas } from '../../contract/meta/metaTypes.ts'
import { placesOf } from '../../contract/meta/places.ts'
import { useContract } from '../../engine/core/contract.ts'
import { useLookup } from '../../engine/core/lookups.ts'
import { mergeForms, type Side } from '../forms/mergeForms.ts'
import { addressesIn, itemAt } from './address.ts'
import {
  type CaseType,
  type CaseTypeUsage,
  type Draft,
  draftOf,
  hasSavedDraft,
  type SavedDraft,
  UNCOUNTED,
} from './caseType.ts'
import { type DraftConflict, isDiscarded, theirDraftOf } from './draftConflict.ts'
import type { EditorContextValue, Selection } from './editorContext.ts'
import { type EditorError, validationErrorsOf } from './editorErrors.ts'
import { useAutosave } from './useAutosave.ts'
import { useDraftHistory } from './useDraftHistory.ts'
import { usePublishing } from './usePublishing.ts'
import { describeRemoteChange, useRemoteChanges } from './useRemoteChanges.ts'
import { useStableCallbacks, useStableList } from './useStable.ts'

type Pane = 'structure' | 'settings' | 'preview'
export type EditorState = ReturnType<typeof useEditor>

/** The selection without deleted items; ticked addresses come in the form's order. */
function selectionIn(groups: Group[], chosen: Selection): Selection {
  if (!chosen.ticked) return itemAt(groups, chosen.address) || chosen.adding ? chosen : NOTHING
  const keys = new Set(chosen.ticked.map((address) => address.join('.')))
  return { ...chosen, ticked: addressesIn(groups).filter((address) => keys.has(address.join('.'))) }
}

const NARROW = '(max-width: 640px)'
const NOTHING: Selection = { address: [] }

interface EditorOptions {
  /** The latest responses: the first initialises the editor, later ones bring changes by others. */
  loaded: CaseType
  draft: SavedDraft
  usage: CaseTypeUsage
  /** Retries the usage request after it failed; undefined otherwise. */
  recount?: () => void
  /** The case type or its draft is being refetched. */
  isReading: boolean
}

/** State shared by the constructor's parts: the draft with its history, selection, errors, autosave and publishing. */
export function useEditor({ loaded, usage, recount, draft: loadedDraft, isReading }: EditorOptions) {
  const { lookups } = useContract()
  const [base, setBase] = useState(loaded)
  // A saved draft may be based on an older version; publishing it then shows the conflict.
  const [baseVersion, setBaseVersion] = useState(
    hasSavedDraft(loadedDraft) ? loadedDraft.base_version : loaded.version,
  )
  const [meta, setMeta] = useState<MetaName>('case_meta')
  const [selections, setSelections] = useState<Partial<Record<MetaName, Selection>>>({})
  const [pane, setPane] = useState<Pane>('structure')
  const [announcement, announce] = useState('')
  const [isErrorListOpen, setErrorListOpen] = useState(false)
  const [attempts, setAttempts] = useState(0)
  const [conflict, setConflict] = useState<DraftConflict>()
  const [isPublishDialogOpen, setPublishDialogOpen] = useState(false)
  const [replacement, setReplacement] = useState<{ what: string; words: string }>()
  const [remoteChange, setRemoteChange] = useState<{ words: string; draft?: Draft }>()
  const choose = (form: MetaName, selection: Selection) => {
    setMeta(form)
    setSelections((before) => ({ ...before, [form]: selection }))
  }
  const history = useDraftHistory(hasSavedDraft(loadedDraft) ? loadedDraft : loaded, meta, announce, choose)
  const { draft } = history
  const known = useKnown(draft)
  const groups = draft[meta]

  const errors = useMemo(() => validationErrorsOf(draft, known, base, usage), [draft, known, base, usage])
  const isDirty = useMemo(() => !isEqual(draftOf(draft), draftOf(base)), [draft, base])
  const publishing = usePublishing({
    draft,
    onPublished: (published) => {
      setBase(published)
      setBaseVersion(published.version)
      autosave.replaceSaved({ rev: 0 })
    },
    onConflict: setConflict,
  })
  const isPaused = conflict !== undefined || isPublishDialogOpen || publishing.busy
  const autosave = useAutosave({
    id: base.id,
    baseVersion,
    draft,
    isDirty,
    loaded: loadedDraft,
    isPaused,
    onConflict: setConflict,
  })
  const adoptRemote = (type: CaseType, savedDraft: SavedDraft) => {
    setConflict(undefined)
    setBase(type)
    setBaseVersion(hasSavedDraft(savedDraft) ? savedDraft.base_version : type.version)
    history.start(hasSavedDraft(savedDraft) ? savedDraft : type)
    autosave.replaceSaved(savedDraft)
  }
  useRemoteChanges({
    latest: isReading ? undefined : { type: loaded, draft: loadedDraft },
    version: base.version,
    savedDraft: autosave.savedDraft,
    isSaved: autosave.isSaved && !conflict,
    isPaused: isPublishDialogOpen || publishing.busy || autosave.isBusy,
    onRemoteChange: (type, savedDraft) => {
      adoptRemote(type, savedDraft)
      setRemoteChange({ words: describeRemoteChange(base.version, type, savedDraft) })
    },
    onConflict: setConflict,
  })
  const { savedDraft } = autosave
  /** Base of the three-way merge; undefined if the draft is based on a version that is not known here any more. */
  const common = useMemo(() => {
    if (conflict?.about !== 'published') return draftOf(hasSavedDraft(savedDraft) ? savedDraft : base)
    return base.version === baseVersion ? draftOf(base) : undefined
  }, [conflict, savedDraft, base, baseVersion])
  const mergeConflict = (conflict: DraftConflict, choices: Record<string, Side> = {}) => {
    const theirs = theirDraftOf(conflict, base)
    if (!common) return
    const { merged } = mergeForms({ base: common, mine: draftOf(draft), theirs }, choices)
    keepMine(conflict)
    // Restart the history, because undo would also revert the others' changes.
    history.start(merged)
    const [type, saved] =
      conflict.about === 'published' ? [conflict.theirs, conflict.draft] : [base, conflict.theirs]
    const words = describeRemoteChange(base.version, type, { ...saved, by: conflict.by, at: conflict.at })
    setRemoteChange({ words: `${words} Your changes are merged with theirs.` })
  }
  // Merge automatically only without conflicting changes, and never onto a newly published version.
  const needsDecision = useMemo(() => {
    if (!conflict || !common || conflict.about === 'published' || isDiscarded(conflict)) return true
    const theirs = theirDraftOf(conflict, base)
    return mergeForms({ base: common, mine: draftOf(draft), theirs }).conflicts.length > 0
  }, [conflict, base, common, draft])
  useLayoutEffect(() => {
    if (conflict && !needsDecision) mergeConflict(conflict)
  })
  // The notice disappears with the next local change.
  if (remoteChange && !remoteChange.draft) setRemoteChange({ ...remoteChange, draft })
  else if (remoteChange && remoteChange.draft !== draft) setRemoteChange(undefined)
  const isValid = errors.length === 0
  useEffect(() => {
    if (isValid) setErrorListOpen(false)
  }, [isValid])

  /** Opens the publish dialog, or lists the errors that prevent publishing. */
  const askToPublish = () => {
    if (conflict) return announce('First choose between yours and theirs')
    if (usage === UNCOUNTED)
      return announce(recount ? 'Who uses it could not be counted' : 'Who uses it is still being counted')
    setAttempts((n) => n + 1)
    setErrorListOpen(!isValid)
    if (!isValid) return
    if (!isDirty && base.version > 0) return announce('There is nothing to publish')
    setPublishDialogOpen(true)
  }
  /** `anyway` is the reason for publishing although tests fail; '' if none fails. */
  const publish = async (note: string, anyway: string) => {
    const on = { id: base.id, version: baseVersion, rev: await autosave.whenSaved() }
    // After a failed request the dialog stays open with the text typed.
    if (await publishing.publish(on, note, anyway)) setPublishDialogOpen(false)
  }
  const takeTheirs = (conflict: DraftConflict) =>
    conflict.about === 'published'
      ? adoptRemote(conflict.theirs, conflict.draft)
      : adoptRemote(base, conflict.theirs)
  const keepMine = (conflict: DraftConflict) => {
    setConflict(undefined)
    if (conflict.about === 'draft') return autosave.replaceSaved(conflict.theirs)
    setBase(conflict.theirs)
    setBaseVersion(conflict.theirs.version)
    autosave.replaceSaved(conflict.draft)
  }
  const discard = () => history.replace(base, 'Discarded')
  /** Replaces parts of the draft in one undoable step; the message `words` stays until the next change. */
  const replaceParts = (parts: Partial<Draft>, what: string, words: string) => {
    history.merge(parts, what)
    setReplacement({ what, words })
    announce(words)
  }
  const select = (selection: Selection, form = meta) => {
    if (selection.focus === false) return choose(form, selection)
    const isNarrow = window.matchMedia?.(NARROW).matches
    choose(form, isNarrow ? { ...selection, focus: true } : selection)
    setPane('settings')
  }
  const allErrors = [...errors, ...publishing.serverErrors, ...(autosave.failure?.validationErrors ?? [])]
  const chosen = selections[meta] ?? NOTHING
  const selection = useMemo(() => selectionIn(groups, chosen), [groups, chosen])
  const listedHere = useStableList(allErrors.filter((p) => p.meta === meta))
  const chosenCount = useCallback<EditorContextValue['chosen']>(
    (address, value) => choiceCount(usage, meta, address.slice(1).join('.'), value),
    [usage, meta],
  )
  const { tests } = draft
  const usesHere = useCallback<EditorContextValue['usesOf']>(
    (field) => usesOf(meta, field, usage.uses, tests),
    [meta, usage, tests],
  )
  const actions = useStableCallbacks<Pick<EditorContextValue, 'select' | 'edit' | 'announce'>>({
    select,
    edit: history.edit,
    announce,
  })
  // Stable while the draft is saved or something is announced, so that structure and settings do not render again.
  const editorContext = useMemo<EditorContextValue>(
    () => ({
      caseType: base.id,
      meta,
      groups,
      before: base[meta],
      usage: usage[meta],
      usesOf: usesHere,
      chosen: chosenCount,
      lookups,
      known,
      errors: listedHere,
      selection,
      ...actions,
    }),
    [meta, groups, base, usage, usesHere, chosenCount, lookups, known, listedHere, selection, actions],
  )
  return {
    editorContext,
    base,
    usage,
    recount,
    status: loaded.status,
    history,
    isDirty,
    autosave,
    publishing,
    conflict: needsDecision ? conflict : undefined,
    common,
    remoteChange: remoteChange?.words,
    /** Message about a replacement of the draft, until the next change. */
    replacement: isDirty && history.lastChange === replacement?.what ? replacement?.words : undefined,
    replaceParts,
    /** Validation messages of the name. */
    nameMessages: allErrors.filter((p) => p.at === 'label' && !p.meta).map((p) => p.message),
    isPublishDialogOpen,
    listedErrors: [...(isErrorListOpen ? errors : []), ...publishing.serverErrors],
    attempts,
    announcement,
    pane,
    showForm: setMeta,
    showPane: setPane,
    askToPublish,
    publish,
    cancelPublish: () => setPublishDialogOpen(false),
    takeTheirs,
    keepMine,
    mergeConflict,
    discard,
    labelOf: ({ meta: form, address }: EditorError) => form && itemAt(draft[form], address)?.label,
    goTo: ({ meta: form, address }: Pick<EditorError, 'meta' | 'address'>) =>
      form && select({ address, focus: true }, form),
  }
}

/**
 * The data that references of fields are validated against. Items of the lookup with parent lists are fetched once a
 * field uses it.
 */
function useKnown({ case_meta, issue_meta }: Metas): Known {
  const { lookups, entities } = useContract()
  const isNested = useMemo(
    () =>
      [case_meta, issue_meta].some((groups) =>
        [...placesOf(groups)].some(({ field }) => lookups[field.attrs?.lookup ?? '']?.parent),
      ),
    [case_meta, issue_meta, lookups],
  )
  const name = isNested ? Object.values(lookups).find(({ parent }) => parent)?.needs : undefined
  const lists = useLookup(name, { active: false })
  return useMemo(
    () => ({ lookups, entities, ...(name && lists && { lists: { [name]: lists } }) }),
    [lookups, entities, name, lists],
  )
}
