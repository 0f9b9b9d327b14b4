import { useCallback, useMemo } from 'react'
import { usesOf } from '../../contract/caseType/fieldUses.ts'
import { choiceCount } from '../../contract/meta/checkMeta.ts'
import type { Known, MetaName } from '../../contract/meta/metaTypes.ts'
import { outsideFields } from '../../contract/meta/outsideFields.ts'
import { useContract } from '../../engine/core/contract.ts'
import type { CaseType, CaseTypeUsage, Draft } from './caseType.ts'
import type { EditorContextValue, Selection } from './editorContext.ts'
import type { EditorError } from './editorErrors.ts'
import { selectionIn } from './useSelections.ts'
import { useStableCallbacks, useStableList } from './useStable.ts'

interface ContextOptions {
  meta: MetaName
  draft: Draft
  base: CaseType
  usage: CaseTypeUsage
  known: Known
  /** The errors of both forms. */
  errors: EditorError[]
  chosen: Selection
  actions: Pick<EditorContextValue, 'select' | 'edit' | 'editDraft' | 'announce'>
}

/**
 * What the parts of the editor share; the same while the draft is saved or something is announced, so that structure
 * and settings do not render again.
 */
export function useEditorContextValue(options: ContextOptions): EditorContextValue {
  const { meta, draft, base, usage, known, errors, chosen } = options
  const contract = useContract()
  const { lookups } = contract
  const { [meta]: groups, tests, automations, deadlines } = draft
  const { case_meta, issue_meta } = draft
  const outside = useMemo(
    () => outsideFields(meta, { case_meta, issue_meta }, contract),
    [meta, case_meta, issue_meta, contract],
  )
  const selection = useMemo(() => selectionIn(groups, chosen), [groups, chosen])
  const listedHere = useStableList(errors.filter((p) => p.meta === meta))
  const chosenCount = useCallback<EditorContextValue['chosen']>(
    (address, value) => choiceCount(usage, meta, address.slice(1).join('.'), value),
    [usage, meta],
  )
  const usesHere = useCallback<EditorContextValue['usesOf']>(
    (field) => usesOf(meta, field, usage.uses, { tests, automations, deadlines }),
    [meta, usage, tests, automations, deadlines],
  )
  const actions = useStableCallbacks(options.actions)
  return useMemo(
    () => ({
      caseType: base.id,
      meta,
      groups,
      outside,
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
    [
      meta,
      groups,
      outside,
      base,
      usage,
      usesHere,
      chosenCount,
      lookups,
      known,
      listedHere,
      selection,
      actions,
    ],
  )
}
