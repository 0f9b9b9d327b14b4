import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { isAsked } from '../../contract/fieldTypes.ts'
import type { Values } from '../../contract/when.ts'
import { notify } from '../runtime/notices.ts'
import { changesOf, isSameAnswer } from './changes.ts'
import { CONTROLS, focusControl } from './ErrorSummary.tsx'
import type { FormStore } from './formStore.ts'
import { placesOf } from './mergeAt.ts'
import { getAt, isWithin, join, setAt } from './paths.ts'
import { fieldAt, type RenderedGroup } from './renderedGroups.ts'
import type { FormSection } from './sections.ts'
import type { useSave } from './useSave.ts'

interface Options {
  store: FormStore
  groups: RenderedGroup[]
  sections: FormSection[]
  idPrefix: string
  maySave: boolean
  save: ReturnType<typeof useSave>
  /** Path of the first answer that is missing or wrong. */
  firstProblem: string | undefined
}

/** Ids of the parts of a card, which take the focus. */
export const cardIds = (idPrefix: string, key: string) => ({
  card: `${idPrefix}-${key}`,
  heading: `${idPrefix}-${key}-heading`,
  change: `${idPrefix}-${key}-change`,
  fields: `${idPrefix}-${key}-fields`,
})

/**
 * Which groups of a record are open as a form: the one whose Change was pressed, and others only as long as they hold
 * what is not saved yet or what was refused.
 */
export function useOpenSections(options: Options) {
  const { store, groups, sections, idPrefix, maySave, save, firstProblem } = options
  const [opened, setOpened] = useState<string[]>([])
  /** What gets the focus once it is drawn: the first field of a group, or its Change. */
  const focusNext = useRef<{ key: string; at: 'fields' | 'change' }>(undefined)
  /** Opened while a save was under way, which is none of theirs. */
  const openedMeanwhile = useRef(new Set<string>())
  const { hash } = useLocation()

  const unsavedPaths = ({ at, fields, values }: RenderedGroup) =>
    fields
      .filter(isAsked)
      .filter(({ name }) => !isSameAnswer(getAt(save.base.current, join(at, name)), values[name]))
      .map(({ name }) => join(at, name))
  const mustStayOpen = (group: RenderedGroup) =>
    unsavedPaths(group).length > 0 || Object.keys(group.errors).length > 0
  const keys = !maySave
    ? []
    : groups.filter((group) => opened.includes(group.key) || mustStayOpen(group)).map(({ key }) => key)

  // Once it is open it stays so, also when its text is as it was. The error summary links to what is on the page by then.
  const isNew = keys.some((key) => !opened.includes(key))
  useLayoutEffect(() => {
    if (isNew) setOpened((before) => [...new Set([...before, ...keys])])
  })
  useLayoutEffect(() => {
    const next = focusNext.current
    if (!next) return
    const ids = cardIds(idPrefix, next.key)
    const target =
      next.at === 'change'
        ? (document.getElementById(ids.change) ?? document.getElementById(ids.heading))
        : document.getElementById(ids.fields)?.querySelector<HTMLElement>(CONTROLS)
    if (!target) return
    focusNext.current = undefined
    target.focus()
  })

  const groupOf = (key: string) => store.groups().find((group) => group.key === key)
  const isUnsaved = (key: string) => {
    const group = groupOf(key)
    return group !== undefined && unsavedPaths(group).length > 0
  }
  const change = (key: string) => {
    store.flush()
    focusNext.current = { key, at: 'fields' }
    if (save.isBusy) openedMeanwhile.current.add(key)
    setOpened((before) => [...before.filter((other) => other !== key && isUnsaved(other)), key])
  }
  /** Closes what is saved, and leaves the focus where it was pressed; text typed meanwhile stays open. */
  const onSaved = () => {
    store.flush()
    const stays = (key: string) => openedMeanwhile.current.has(key) || isUnsaved(key)
    const active = document.activeElement
    const key = keys.find((one) => document.getElementById(cardIds(idPrefix, one).card)?.contains(active))
    const isLeft = active !== document.body && key === undefined
    if (!isLeft && !stays(key ?? keys[0])) focusNext.current = { key: key ?? keys[0], at: 'change' }
    if (!keys.some(isUnsaved)) store.markSaved()
    const staying = keys.filter(stays)
    openedMeanwhile.current.clear()
    setOpened(staying)
  }
  /** Takes one section back to what is stored, and everything where nothing else is being changed. */
  const cancel = (key?: string) => {
    store.flush()
    const group = key === undefined ? undefined : groupOf(key)
    const isOnly = !group || keys.every((other) => other === key || !isUnsaved(other))
    const [before, typed] = [save.base.current, store.document()]
    const paths = isOnly ? Object.keys({ ...before, ...typed }) : unsavedPaths(group)
    const dropped = changesAt(before, typed, paths, sections)
    store.reset(before, paths)
    save.abandonConflict()
    if (key !== undefined) focusNext.current = { key, at: 'change' }
    setOpened((old) => (isOnly ? [] : old.filter((other) => other !== key)))
    if (Object.keys(dropped).length === 0) return
    const text = group?.label ? `“${group.label}” is as it was` : 'Everything is as it was'
    notify({ kind: 'success', text, action: { label: 'Undo', run: () => store.merge(dropped) } })
  }

  const openPath = (path: string) => {
    const key = fieldAt(store.groups(), path)?.group.key
    if (key === undefined || !maySave) return
    setOpened((before) => [...before, key])
    linked.current = path
  }
  const linked = useRef<string>(undefined)
  const asked = hash === '#missing' ? firstProblem : hash.slice(1)
  const open = useRef(openPath)
  open.current = openPath
  // An address may name the answer that it is about, such as one that is missing.
  useEffect(() => {
    if (hash && asked) open.current(asked)
  }, [hash])
  useEffect(() => {
    if (linked.current && focusControl(join(idPrefix, linked.current))) linked.current = undefined
  })
  return { keys, change, cancel, onSaved, isUnsaved }
}

/** What differs from an earlier document at some paths, as values to merge. */
function changesAt(before: Values, after: Values, paths: string[], sections: FormSection[]): Values {
  const all = changesOf(before, after, placesOf(sections))
  let found: Values = {}
  for (const path of paths) {
    const value = getAt(all, path)
    if (value !== undefined && paths.some((one) => isWithin(path, one))) found = setAt(found, path, value)
  }
  return found
}
