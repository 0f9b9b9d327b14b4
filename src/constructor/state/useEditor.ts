import { useMemo, useState } from 'react'
import { isEqual } from '../../contract/isEqual.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { labelOfDefinition } from '../forms/definitions.ts'
import { itemAt } from './address.ts'
import {
  type CaseType,
  type CaseTypeUsage,
  type Draft,
  draftOf,
  hasSavedDraft,
  type SavedDraft,
} from './caseType.ts'
import type { DraftConflict } from './draftConflict.ts'
import type { EditorError } from './editorErrors.ts'
import { reservedNames } from './fieldUsage.ts'
import { movesIn, nameNewFields } from './takeAnswers.ts'
import { useAutosave } from './useAutosave.ts'
import { useBase } from './useBase.ts'
import { useConflict } from './useConflict.ts'
import { useDraftHistory } from './useDraftHistory.ts'
import { useEditorContextValue } from './useEditorContextValue.ts'
import { usePublishDialog } from './usePublishDialog.ts'
import { type Publication, usePublishing } from './usePublishing.ts'
import { useRemoteChanges } from './useRemoteChanges.ts'
import { useSelections } from './useSelections.ts'
import { useValidation } from './useValidation.ts'

export type EditorState = ReturnType<typeof useEditor>

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
  const [announcement, announce] = useState('')
  const selections = useSelections()
  const { tab, meta, pane, chosen, select, showTab, showPane, selectDefinition } = selections
  const history = useDraftHistory(
    hasSavedDraft(loadedDraft) ? loadedDraft : loaded,
    meta,
    announce,
    selections,
  )
  const { draft } = history
  const versions = useBase(loaded, loadedDraft)
  const { base, baseVersion } = versions
  const { known, errors } = useValidation(draft, base, usage)
  const isDirty = useMemo(() => !isEqual(draftOf(draft), draftOf(base)), [draft, base])
  const [openConflict, setConflict] = useState<DraftConflict>()
  const isValid = errors.length === 0
  const isNew = isDirty || base.version === 0
  const dialog = usePublishDialog({ isValid, isNew, usage, recount, announce })
  const publishing = usePublishing({
    draft,
    onPublished: (published) => {
      versions.rebase(published)
      // The publication has moved the answers once, so the draft must not move them again.
      if (movesIn(base, draft).length > 0) history.start(published)
      autosave.replaceSaved({ rev: 0 })
    },
    onConflict: setConflict,
  })
  const autosave = useAutosave({
    id: base.id,
    baseVersion,
    draft,
    isDirty,
    loaded: loadedDraft,
    isPaused: openConflict !== undefined || dialog.isOpen || publishing.busy,
    onConflict: setConflict,
  })
  const resolution = useConflict({ conflict: openConflict, setConflict, versions, history, autosave })
  const { conflict, common, remoteChange, takeTheirs, keepMine, mergeConflict } = resolution
  useRemoteChanges({
    latest: isReading ? undefined : { type: loaded, draft: loadedDraft },
    version: base.version,
    savedDraft: autosave.savedDraft,
    isSaved: autosave.isSaved && !openConflict,
    isPaused: dialog.isOpen || publishing.busy || autosave.isBusy,
    onRemoteChange: resolution.adoptRemote,
    onConflict: setConflict,
  })
  const publish = async (publication: Publication) => {
    const on = { id: base.id, version: baseVersion, rev: await autosave.whenSaved() }
    // After a failed request the dialog stays open with the text typed.
    if (await publishing.publish(on, publication)) dialog.close()
  }
  const askToPublish = (firing: string[]) => {
    const named = withNewNames(draft, base, usage)
    if (named !== draft) history.editDraft(() => named, { what: 'Stored names' })
    dialog.ask(openConflict, firing)
  }
  const { replaceParts, replacement } = useReplacement(history, announce)
  const allErrors = [...errors, ...publishing.serverErrors, ...(autosave.failure?.validationErrors ?? [])]
  const actions = { select, edit: history.edit, editDraft: history.editDraft, announce }
  const shared = { meta, draft, base, usage, known, chosen, actions }
  const editorContext = useEditorContextValue({ ...shared, errors: allErrors })
  return {
    editorContext,
    /** All errors of the draft, also those that the server found. */
    errors: allErrors,
    base,
    usage,
    recount,
    status: loaded.status,
    /** The calendars of bank holidays, as they are now. */
    calendars: loaded.calendars ?? undefined,
    history,
    isDirty,
    autosave,
    publishing,
    conflict,
    common,
    remoteChange,
    /** Message about a replacement of the draft, until the next change. */
    replacement: isDirty ? replacement : undefined,
    replaceParts,
    /** Validation messages of the name. */
    nameMessages: allErrors.filter((p) => p.at === 'label' && !p.meta).map((p) => p.message),
    isPublishDialogOpen: dialog.isOpen,
    listedErrors: [...(dialog.isErrorListOpen ? errors : []), ...publishing.serverErrors],
    attempts: dialog.attempts,
    announcement,
    tab,
    /** The selected automation or deadline. */
    definition: selections.definition,
    pane,
    showTab,
    showPane,
    selectDefinition,
    announce,
    askToPublish: () => askToPublish([]),
    /** Opens the publish dialog with the choice made that an automation notifies people and plans steps. */
    askToFireEvents: (name: string) => askToPublish([name]),
    /** Names of the automations that are chosen when the publish dialog opens. */
    firing: dialog.firing,
    publish,
    cancelPublish: dialog.close,
    takeTheirs,
    keepMine,
    mergeConflict,
    discard: () => history.replace(base, 'Discarded'),
    labelOf: ({ meta: form, address, definition }: EditorError) =>
      form ? itemAt(draft[form], address)?.label : definition && labelOfDefinition(draft, definition),
    goTo: ({ meta: form, address, definition }: Pick<EditorError, 'meta' | 'address' | 'definition'>) => {
      if (definition) selectDefinition(definition)
      else if (form) select({ address, focus: true }, form)
    },
  }
}

/** Replaces parts of the draft in one undoable step, with a message that stays until the next change. */
function useReplacement(
  { merge, lastChange }: ReturnType<typeof useDraftHistory>,
  announce: (words: string) => void,
) {
  const [replacement, setReplacement] = useState<{ what: string; words: string }>()
  return {
    replacement: lastChange === replacement?.what ? replacement?.words : undefined,
    replaceParts: (parts: Partial<Draft>, what: string, words: string) => {
      merge(parts, what)
      setReplacement({ what, words })
      announce(words)
    },
  }
}

/** The draft whose new fields have names that no stored answer uses. */
function withNewNames(draft: Draft, base: CaseType, usage: CaseTypeUsage): Draft {
  const taken = (form: MetaName) => reservedNames({ meta: form, before: base[form], usage: usage[form] })
  return nameNewFields(draft, base, { case_meta: taken('case_meta'), issue_meta: taken('issue_meta') })
}
