import { useEffect, useMemo, useState } from 'react'
import type { MetaName } from '../contract/metaCheck.ts'
import { same } from '../contract/settle.ts'
import { useContract } from '../engine/contract.ts'
import { itemAt } from './address.ts'
import type { Bench, Selection } from './bench.ts'
import { type CaseType, type CaseTypeUsage, draftOf } from './caseType.ts'
import { type Found, problemsOf } from './found.ts'
import { useDraft } from './useDraft.ts'
import { useSave } from './useSave.ts'

export type Pane = 'structure' | 'settings' | 'preview'
export type Work = ReturnType<typeof useWorkbench>

const NARROW = '(max-width: 640px)'
const NOTHING: Selection = { address: [] }

/** Everything that the constructor's parts share: the draft with its history, what is selected, problems and saving. */
export function useWorkbench(loaded: CaseType, usage: CaseTypeUsage) {
  const { lookups } = useContract()
  const [base, setBase] = useState(loaded)
  const [meta, setMeta] = useState<MetaName>('case_meta')
  const [selections, setSelections] = useState<Partial<Record<MetaName, Selection>>>({})
  const [pane, setPane] = useState<Pane>('structure')
  const [said, announce] = useState('')
  const [wanted, setWanted] = useState(false)
  const choose = (form: MetaName, selection: Selection) => {
    setMeta(form)
    setSelections((before) => ({ ...before, [form]: selection }))
  }
  const history = useDraft(base, meta, announce, choose)
  const { draft } = history
  const groups = draft[meta]

  const check = (against: CaseType) => problemsOf(draft, { lookups }, against, usage)
  const problems = useMemo(() => check(base), [draft, lookups, base, usage])
  const isDirty = useMemo(() => !same(draftOf(draft), draftOf(base)), [draft, base])
  const saving = useSave({ draft, isDirty, check, onSaved: setBase })
  const isGood = problems.length === 0
  useEffect(() => {
    if (isGood) setWanted(false)
  }, [isGood])

  const save = async (on = base) => {
    setBase(on)
    const result = await saving.save(on)
    setWanted(result === 'bad')
    if (result === 'same') announce('There is nothing to save')
  }
  const takeTheirs = (theirs: CaseType) => {
    saving.settleClash()
    setBase(theirs)
    history.start(theirs)
  }
  const select = (selection: Selection, form = meta) => {
    if (selection.focus === false) return choose(form, selection)
    const isNarrow = window.matchMedia?.(NARROW).matches
    choose(form, isNarrow ? { ...selection, focus: true } : selection)
    setPane('settings')
  }
  const chosen = selections[meta] ?? NOTHING
  const bench: Bench = {
    meta,
    groups,
    before: base[meta],
    usage: usage[meta],
    lookups,
    problems: [...problems, ...saving.refusals].filter((p) => p.meta === meta),
    selection: itemAt(groups, chosen.address) || chosen.adding ? chosen : NOTHING,
    select,
    edit: history.edit,
    announce,
  }
  return {
    bench,
    base,
    history,
    isDirty,
    saving,
    listed: [...(wanted ? problems : []), ...saving.refusals],
    said,
    pane,
    showForm: setMeta,
    showPane: setPane,
    save,
    takeTheirs,
    labelOf: ({ meta: form, address }: Found) => form && itemAt(draft[form], address)?.label,
    goTo: ({ meta: form, address }: Found) => form && select({ address, focus: true }, form),
  }
}
