import { Button, Callout, Classes, Radio, RadioGroup } from '@blueprintjs/core'
import { type ReactElement, useCallback, useEffect, useRef, useState } from 'react'
import type { Side } from '../../contract/caseType/mergeForms.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import { formatDateTime } from '../../engine/core/dates.ts'
import { useItemLabels } from '../../engine/core/useItemLabels.ts'
import { Disclosure } from '../controls/Disclosure.tsx'
import { type MergeConflict, mergeByChoices } from '../forms/mergeConflicts.ts'
import { type DraftConflict, isDiscarded, theirDraftOf } from '../state/draftConflict.ts'
import type { EditorState } from '../state/useEditor.ts'
import { Differences } from './Differences.tsx'

/**
 * Asks how to resolve a conflict with somebody else's changes: merge, take theirs or keep mine. Nothing is lost before
 * that; changes to different things are merged.
 */
export function Conflict({
  conflict,
  editor,
}: {
  conflict: DraftConflict
  editor: EditorState
}): ReactElement {
  const { by, at } = conflict
  const box = useRef<HTMLDivElement>(null)
  const [choices, setChoices] = useState<Record<string, Side>>({})
  // A conflict that appears unprompted must not take the focus away from typing.
  const { isAwaited } = conflict
  useEffect(() => {
    if (isAwaited) box.current?.focus()
  }, [isAwaited])
  const theirs = theirDraftOf(conflict, editor.base)
  const moment = at && formatDateTime(at)
  const canMerge = editor.common !== undefined && !isDiscarded(conflict)
  return (
    <div ref={box} tabIndex={-1} role="alert">
      <Callout intent="warning">
        <h2 className={Classes.HEADING}>{`Changed by ${by ?? 'somebody else'} since you opened it`}</h2>
        {!canMerge ? (
          <p>
            {conflictText(conflict, moment)} Take theirs and your changes are gone, or keep yours and theirs
            are replaced.
          </p>
        ) : (
          <>
            <p>{conflictText(conflict, moment)} What only one of you changed is merged.</p>
            <MergeConflicts
              editor={editor}
              theirs={theirs}
              choices={choices}
              onChoose={(key, side) => setChoices((before) => ({ ...before, [key]: side }))}
            />
          </>
        )}
        <Disclosure summary="All that differs">
          <Differences before={theirs} after={editor.history.draft} heads={['Theirs', 'Yours']} />
        </Disclosure>
        <div className="constructor-buttons">
          {canMerge && (
            <Button intent="primary" text="Merge" onClick={() => editor.mergeConflict(conflict, choices)} />
          )}
          <Button text="Take theirs" onClick={() => editor.takeTheirs(conflict)} />
          <Button text="Keep mine" onClick={() => editor.keepMine(conflict)} />
        </div>
      </Callout>
    </div>
  )
}

function conflictText(conflict: DraftConflict, moment: string | undefined): string {
  const when = moment ? ` on ${moment}` : ''
  if (conflict.about === 'published') return `Version ${conflict.theirs.version} was published${when}.`
  return `The draft was ${isDiscarded(conflict) ? 'discarded' : 'changed'}${when}.`
}

interface MergeConflictsProps {
  editor: EditorState
  theirs: ReturnType<typeof theirDraftOf>
  choices: Record<string, Side>
  onChoose: (key: string, side: Side) => void
}

/** The conflicting changes, each with both sides in words; mine is preselected. */
function MergeConflicts({ editor, theirs, choices, onChoose }: MergeConflictsProps): ReactElement {
  const { common, history } = editor
  const describe = useCallback(
    (itemLabel: ItemLabel) =>
      common ? mergeByChoices({ base: common, mine: history.draft, theirs }, {}, itemLabel).conflicts : [],
    [common, history.draft, theirs],
  )
  const conflicts = useItemLabels(describe)
  return (
    <>
      {conflicts.length > 0 && <p>Both of you changed these settings; choose whose change is kept.</p>}
      {conflicts.map((conflict) => (
        <RadioGroup
          key={conflict.key}
          className="constructor-merge-conflict"
          label={[TITLES[conflict.of], ...conflict.path].join(' › ')}
          selectedValue={choices[conflict.key] ?? 'mine'}
          onChange={(event) => onChoose(conflict.key, event.currentTarget.value as Side)}
        >
          <Radio
            value="theirs"
            labelElement={<SideWords head="Theirs" side="before" conflict={conflict} />}
          />
          <Radio value="mine" labelElement={<SideWords head="Yours" side="after" conflict={conflict} />} />
        </RadioGroup>
      ))}
    </>
  )
}

const TITLES: Record<MergeConflict['of'], string> = {
  case_meta: 'Case form',
  issue_meta: 'Issue form',
  label: 'Name of the case type',
  tests: 'Tests',
  automations: 'Automations',
  deadlines: 'Deadlines',
}

/** "Theirs: Label ‘Ward or unit’; Required No"; a removed item has no words. */
function SideWords({
  head,
  side,
  conflict,
}: {
  head: string
  side: 'before' | 'after'
  conflict: MergeConflict
}) {
  const isRemoved = conflict.parts.every((part) => part[side] === '')
  const words = conflict.parts.map((part) => `${part.name}: ${part[side] || 'none'}`)
  return (
    <>
      <strong>{head}</strong> {isRemoved ? 'Removed, or as it was' : words.join('; ')}
    </>
  )
}
