import { useEffect, useMemo, useState } from 'react'
import { choiceCount, type MetaName } from '../contract/meta/check.ts'
import { isEqual } from '../contract/settle.ts'
import { useContract } from '../engine/contract.ts'
import { itemAt } from './address.ts'
import type { Bench, Selection } from './bench.ts'
import { type CaseType, type CaseTypeUsage, type Draft, draftOf, isKept, type Kept } from './caseType.ts'
import { type Found, problemsOf } from './found.ts'
import type { Clash } from './publish/clash.ts'
import { heardWords, useHearing } from './publish/useHearing.ts'
import { useKeeping } from './publish/useKeeping.ts'
import { usePublishing } from './publish/usePublishing.ts'
import { useDraft } from './useDraft.ts'

type Pane = 'structure' | 'settings' | 'preview'
export type Work = ReturnType<typeof useWorkbench>

const NARROW = '(max-width: 640px)'
const NOTHING: Selection = { address: [] }

interface Given {
  /** As they were read last: the first of them is where it starts, later ones tell what others did. */
  loaded: CaseType
  draft: Kept
  usage: CaseTypeUsage
  /** They are being read anew. */
  isReading: boolean
}

/** Everything that the constructor's parts share: the draft with its history, what is selected, problems, publishing. */
export function useWorkbench({ loaded, usage, draft: loadedDraft, isReading }: Given) {
  const { lookups } = useContract()
  const [base, setBase] = useState(loaded)
  // Kept changes may be of an older version than what is published by now; publishing them shows that clash.
  const [basedOn, setBasedOn] = useState(isKept(loadedDraft) ? loadedDraft.base_version : loaded.version)
  const [meta, setMeta] = useState<MetaName>('case_meta')
  const [selections, setSelections] = useState<Partial<Record<MetaName, Selection>>>({})
  const [pane, setPane] = useState<Pane>('structure')
  const [said, announce] = useState('')
  const [wanted, setWanted] = useState(false)
  const [tries, setTries] = useState(0)
  const [clash, setClash] = useState<Clash>()
  const [isAsking, setAsking] = useState(false)
  const [heard, setHeard] = useState<{ words: string; draft?: Draft }>()
  const choose = (form: MetaName, selection: Selection) => {
    setMeta(form)
    setSelections((before) => ({ ...before, [form]: selection }))
  }
  const history = useDraft(isKept(loadedDraft) ? loadedDraft : loaded, meta, announce, choose)
  const { draft } = history
  const groups = draft[meta]

  const problems = useMemo(() => problemsOf(draft, { lookups }, base, usage), [draft, lookups, base, usage])
  const isDirty = useMemo(() => !isEqual(draftOf(draft), draftOf(base)), [draft, base])
  const publishing = usePublishing({
    draft,
    onPublished: (published) => {
      setBase(published)
      setBasedOn(published.version)
      keeping.take({ rev: 0 })
    },
    onClash: setClash,
  })
  const isTold = clash !== undefined || isAsking || publishing.busy
  const keeping = useKeeping({
    id: base.id,
    basedOn,
    draft,
    isDirty,
    loaded: loadedDraft,
    isPaused: isTold,
    onClash: setClash,
  })
  const takeIn = (type: CaseType, kept: Kept) => {
    setClash(undefined)
    setBase(type)
    setBasedOn(isKept(kept) ? kept.base_version : type.version)
    history.start(isKept(kept) ? kept : type)
    keeping.take(kept)
  }
  useHearing({
    latest: isReading ? undefined : { type: loaded, draft: loadedDraft },
    version: base.version,
    kept: keeping.kept,
    isSafe: keeping.isSafe && !clash,
    isPaused: isAsking || publishing.busy || keeping.isBusy,
    onTake: (type, kept) => {
      takeIn(type, kept)
      setHeard({ words: heardWords(base.version, type, kept) })
    },
    onClash: setClash,
  })
  // The line goes with the next change that is made here.
  if (heard && !heard.draft) setHeard({ ...heard, draft })
  else if (heard && heard.draft !== draft) setHeard(undefined)
  const isGood = problems.length === 0
  useEffect(() => {
    if (isGood) setWanted(false)
  }, [isGood])

  /** Shows what publishing would mean, or what keeps it from happening. */
  const ask = () => {
    if (clash) return announce('First choose between yours and theirs')
    setTries((n) => n + 1)
    setWanted(!isGood)
    if (!isGood) return
    if (!isDirty && base.version > 0) return announce('There is nothing to publish')
    setAsking(true)
  }
  const publish = async (note: string) => {
    await publishing.publish({ id: base.id, version: basedOn, rev: await keeping.settled() }, note)
    setAsking(false)
  }
  const takeTheirs = (one: Clash) =>
    one.about === 'published' ? takeIn(one.theirs, one.draft) : takeIn(base, one.theirs)
  const keepMine = (one: Clash) => {
    setClash(undefined)
    if (one.about === 'draft') return keeping.take(one.theirs)
    setBase(one.theirs)
    setBasedOn(one.theirs.version)
    keeping.take(one.draft)
  }
  const discard = () => history.replace(base, 'Discarded')
  const select = (selection: Selection, form = meta) => {
    if (selection.focus === false) return choose(form, selection)
    const isNarrow = window.matchMedia?.(NARROW).matches
    choose(form, isNarrow ? { ...selection, focus: true } : selection)
    setPane('settings')
  }
  const found = [...problems, ...publishing.refusals, ...(keeping.failure?.found ?? [])]
  const chosen = selections[meta] ?? NOTHING
  const bench: Bench = {
    meta,
    groups,
    before: base[meta],
    usage: usage[meta],
    chosen: (address, value) => choiceCount(usage, meta, address.slice(1).join('.'), value),
    lookups,
    problems: found.filter((p) => p.meta === meta),
    selection: itemAt(groups, chosen.address) || chosen.adding ? chosen : NOTHING,
    select,
    edit: history.edit,
    announce,
  }
  return {
    bench,
    base,
    usage,
    status: loaded.status,
    history,
    isDirty,
    keeping,
    publishing,
    clash,
    heard: heard?.words,
    /** What is wrong with the name. */
    nameMessages: found.filter((p) => p.at === 'label' && !p.meta).map((p) => p.message),
    isAsking,
    listed: [...(wanted ? problems : []), ...publishing.refusals],
    tries,
    said,
    pane,
    showForm: setMeta,
    showPane: setPane,
    ask,
    publish,
    stopAsking: () => setAsking(false),
    takeTheirs,
    keepMine,
    discard,
    labelOf: ({ meta: form, address }: Found) => form && itemAt(draft[form], address)?.label,
    goTo: ({ meta: form, address }: Found) => form && select({ address, focus: true }, form),
  }
}
