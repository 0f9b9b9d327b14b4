import { Button } from '@blueprintjs/core'
import { useDeferredValue, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router-dom'
import { isRendered } from '../../../contract/fieldTypes.ts'
import { isSet } from '../../../contract/when.ts'
import { WaitingNote } from '../../core/WaitingNote.tsx'
import { ConflictPanel } from '../../form/ConflictPanel.tsx'
import { UnsavedGuard } from '../../form/drafts/UnsavedGuard.tsx'
import { ErrorSummary } from '../../form/ErrorSummary.tsx'
import { KeptAnswers } from '../../form/KeptAnswers.tsx'
import { SectionIndex } from '../../form/SectionIndex.tsx'
import type { FormStore } from '../../form/store/formStore.ts'
import { openProblems, openQuestions } from '../../form/store/openProblems.ts'
import { join } from '../../form/store/paths.ts'
import { fieldAt, type RenderedGroup } from '../../form/store/renderedGroups.ts'
import { keyOf } from '../../form/store/slices.ts'
import { createFormStore } from '../../form/store/store.ts'
import { Card } from './Card.tsx'
import { UnsavedOffer } from './EditForm.tsx'
import { HiddenAnswers } from './HiddenAnswers.tsx'
import { MetaChangedNotice } from './MetaChangedNotice.tsx'
import { SeenAnswers } from './SeenAnswers.tsx'
import { type RecordProps, useEditing } from './useEditing.ts'
import { cardIds, useOpenSections } from './useOpenSections.ts'

/**
 * Number of cards in the first render, which fill a page; the others follow deferred, unless the URL links to a card.
 */
const FIRST_CARDS = 3

/** A record as cards, one for each group; Change replaces the answers of a card with a form. */
export function RecordCards(props: RecordProps) {
  const { screen, record, withs } = props
  const form = useRef<FormStore>(null)
  const saved = useRef(() => {})
  const editing = useEditing(props, form, () => saved.current())
  const { idPrefix, sections, initial, conditionContext, maySave, save, unsavedChanges } = editing
  const [store] = useState(() =>
    createFormStore({ sections, document: initial, conditionContext, isStored: true }),
  )
  form.current = store
  useLayoutEffect(() => store.configure(sections, conditionContext), [store, sections, conditionContext])
  const groups = useSyncExternalStore(store.subscribe, store.groups)
  const summary = useSyncExternalStore(store.subscribe, store.summary)
  const answeredOnly = new Map(
    sections
      .filter((section) => section.isAnsweredOnly)
      .flatMap((section) => section.groups.map((group) => [keyOf(section, group), section.unanswered])),
  )
  const cards = groups
    .filter(({ fields }) => fields.some(isRendered))
    .map((group) => {
      // Such a section lists answers only: questions without one may never have been asked, so they are not missing.
      const isAnsweredOnly = answeredOnly.has(group.key)
      const options = { ...editing, document: store.document() }
      if (isAnsweredOnly) return { group, isAnsweredOnly, problems: {}, notAsked: [] }
      const problems = openProblems(group, groups, options)
      return { group, isAnsweredOnly, problems, notAsked: openQuestions(group, options) }
    })
    .filter(({ group, isAnsweredOnly }) => !isAnsweredOnly || Object.keys(group.values).length > 0)
  const { hash } = useLocation()
  const renderedCount = useDeferredValue(cards.length, hash ? cards.length : FIRST_CARDS)
  const [firstProblem] = cards.flatMap(({ group, problems, notAsked }) =>
    [...Object.keys(problems), ...notAsked].map((name) => join(group.at, name)),
  )
  const open = useOpenSections({ store, groups, sections, idPrefix, maySave, save, firstProblem })
  saved.current = open.onSaved
  // Unsaved answers of removed fields belong to no card.
  const hasChangesWithoutCard = maySave && open.keys.length === 0 && save.isDocumentDirty()

  // In the first open card with an error, so that the focus does not jump to the top of the page.
  const withErrors = Object.keys(summary?.errors ?? {}).map((path) => fieldAt(groups, path)?.group.key)
  const wrongCard = open.keys.find((key) => withErrors.includes(key))
  const errorSummary = summary && (
    <ErrorSummary key={summary.number} errors={summary.errors} idPrefix={idPrefix} />
  )

  const bar = (key?: string) => (
    <div className="form-bar">
      {(key === undefined || key === open.keys[0]) && (
        <MetaChangedNotice groups={screen.groups} values={withs.values} saved={record.version} form={form} />
      )}
      <Button
        intent="primary"
        text="Save"
        loading={save.isBusy}
        aria-busy={save.isBusy}
        onClick={save.save}
      />
      <Button text="Cancel" onClick={() => open.cancel(key)} />
      <WaitingNote save={save.waiting} />
      <span role="status">{key === undefined || open.isUnsaved(key) ? 'Not saved yet' : ''}</span>
    </div>
  )
  return (
    <div className="record">
      <SectionIndex
        sections={cards.map(({ group, problems, notAsked }) => ({
          id: cardIds(idPrefix, group.key).card,
          heading: cardIds(idPrefix, group.key).heading,
          label: group.label || screen.title,
          open: { ...countOpen(group, problems), notAsked: notAsked.length },
        }))}
      />
      <div className="record-cards form">
        {save.conflict && (
          <ConflictPanel
            conflict={save.conflict}
            sections={sections}
            conditionContext={conditionContext}
            isBusy={save.isBusy}
            onResolve={save.resolveConflict}
          />
        )}
        <UnsavedOffer unsavedChanges={unsavedChanges} onPutBack={store.merge} />
        {!wrongCard && errorSummary}
        {cards.slice(0, renderedCount).map(({ group, isAnsweredOnly, problems, notAsked }) => (
          <Card
            key={group.key}
            {...{ group, isAnsweredOnly, problems, notAsked, store, idPrefix, maySave }}
            unanswered={answeredOnly.get(group.key)}
            title={group.label || screen.title}
            isOpen={open.keys.includes(group.key)}
            onChange={open.change}
            errorSummary={group.key === wrongCard && errorSummary}
          >
            {open.keys.includes(group.key) && bar(group.key)}
          </Card>
        ))}
        {hasChangesWithoutCard && bar()}
        <KeptAnswers store={store} conditionContext={conditionContext} />
        <HiddenAnswers screen={screen} record={record} mayRemove={maySave} />
        <SeenAnswers {...{ screen, record, conditionContext }} mayTake={maySave && open.keys.length === 0} />
        {maySave && <UnsavedGuard when={save.isDirty} onLeave={unsavedChanges.discard} />}
      </div>
    </div>
  )
}

function countOpen({ values }: RenderedGroup, problems: Record<string, string>) {
  const names = Object.keys(problems)
  const missing = names.filter((name) => !isSet(values[name])).length
  return { missing, wrong: names.length - missing }
}
