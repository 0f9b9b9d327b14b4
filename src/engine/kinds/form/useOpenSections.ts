import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { isEditable } from '../../../contract/fieldTypes.ts'
import type { Values } from '../../../contract/when.ts'
import { notify } from '../../core/notices.ts'
import { CONTROLS, focusControl } from '../../form/ErrorSummary.tsx'
import { firstControl } from '../../form/firstControl.ts'
import { changesOf, isSameValue } from '../../form/store/changes.ts'
import type { FormStore } from '../../form/store/formStore.ts'
import { getAt, isWithin, join, setAt } from '../../form/store/paths.ts'
import { fieldAt, type RenderedGroup } from '../../form/store/renderedGroups.ts'
import type { FormSection } from '../../form/store/sections.ts'
import type { useSave } from '../../form/useSave.ts'

interface Options {
  store: FormStore
  groups: RenderedGroup[]
  sections: FormSection[]
  idPrefix: string
  maySave: boolean
  save: ReturnType<typeof useSave>
  /** Path of the first answer that is missing or invalid. */
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
 * Tracks which groups of a record are open for editing: the one whose Change button was pressed, and others as long as
 * they have unsaved changes or errors.
 */
export function useOpenSections(options: Options) {
  const { store, groups, sections, idPrefix, maySave, save, firstProblem } = options
  const [opened, setOpened] = useState<string[]>([])
  /** Element to focus once it is rendered: the first field of a group, or its Change button. */
  const focusNext = useRef<{ key: string; at: 'fields' | 'change' }>(undefined)
  /** Keys of groups that were opened during a save, which must not close them. */
  const openedMeanwhile = useRef(new Set<string>())
  const { hash } = useLocation()

  const unsavedPaths = ({ at, fields, values }: RenderedGroup) =>
    fields
      .filter(isEditable)
      .filter(
        (field) => !isSameValue(field, getAt(save.base.current, join(at, field.name)), values[field.name]),
      )
      .map(({ name }) => join(at, name))
  const mustStayOpen = (group: RenderedGroup) =>
    unsavedPaths(group).length > 0 || Object.keys(group.errors).length > 0
  const keys = !maySave
    ? []
    : groups.filter((group) => opened.includes(group.key) || mustStayOpen(group)).map(({ key }) => key)

  // An open group stays open, even if its value changes back. The error summary links to controls that must be rendered
  // by then.
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
        : firstControl(document.getElementById(ids.fields), CONTROLS)
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
  /** Closes saved groups and moves the focus from the pressed button to Change; groups with newer changes stay open. */
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
  /** Resets one section to the stored values, or the whole form if no other section has changes. */
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
  const requestedPath = hash === '#missing' ? firstProblem : hash.slice(1)
  const open = useRef(openPath)
  open.current = openPath
  // The hash of the URL may be the path of an answer, or #missing for the first problem.
  useEffect(() => {
    if (hash && requestedPath) open.current(requestedPath)
  }, [hash])
  useEffect(() => {
    if (linked.current && focusControl(join(idPrefix, linked.current))) linked.current = undefined
  })
  return { keys, change, cancel, onSaved, isUnsaved }
}

/** The changes since an earlier document at some paths, as values to merge. */
function changesAt(before: Values, after: Values, paths: string[], sections: FormSection[]): Values {
  const all = changesOf(before, after, sections)
  let found: Values = {}
  for (const path of paths) {
    const value = getAt(all, path)
    if (value !== undefined && paths.some((one) => isWithin(path, one))) found = setAt(found, path, value)
  }
  return found
}
