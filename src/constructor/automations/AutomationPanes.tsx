import { Button } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { isEqual } from '../../contract/applyChanges.ts'
import type { Automation } from '../../contract/generated.ts'
import type { EditorState } from '../state/useEditor.ts'
import { AutomationEditor } from './AutomationEditor.tsx'
import { AutomationList } from './AutomationList.tsx'
import { impactOfOne, limitWords } from './impactWords.ts'
import { selectedAutomation } from './selectedAutomation.ts'
import { useAutomationEdits } from './useAutomationEdits.ts'
import { type Impact, useImpact } from './useImpact.ts'

/** The panes of the automations: their list, and the sentence of the selected one. */
export default function AutomationPanes({ editor }: { editor: EditorState }): ReactElement {
  const { automations } = editor.history.draft
  const edits = useAutomationEdits(editor)
  const selected = selectedAutomation(editor)
  const { base } = editor
  const [counted, setCounted] = useState(automations)
  const { data, isFetching } = useImpact(base.id, counted, base.version > 0 && counted.length > 0)
  // The numbers of an automation that was changed since are those of another condition.
  const impactOf = (one: Automation) =>
    counted.some((other) => isSameCondition(one, other))
      ? data?.automations.find(({ name }) => name === one.name)
      : undefined
  const isStale = automations.some((one) => !counted.some((other) => isSameCondition(one, other)))
  return (
    <>
      <section className="constructor-pane constructor-structure" aria-labelledby="constructor-automations">
        <AutomationList
          automations={automations}
          selected={selected?.name}
          errors={editor.errors}
          edits={edits}
          impactOf={impactOf}
          onSelect={editor.selectAutomation}
        />
      </section>
      <section className="constructor-pane constructor-settings" aria-label="Sentence">
        {selected ? (
          <>
            <AutomationEditor key={selected.name} automation={selected} editor={editor} edits={edits} />
            {base.version > 0 && (
              <ImpactNote
                automation={selected}
                impact={impactOf(selected)}
                limit={data ? limitWords(data) : ''}
                isCounting={isFetching}
                onCount={isStale ? () => setCounted(automations) : undefined}
              />
            )}
          </>
        ) : (
          <p className="constructor-hint">
            Add an automation to say what follows from the facts of a record.
          </p>
        )}
      </section>
    </>
  )
}

interface ImpactNoteProps {
  automation: Automation
  /** Undefined until it is counted. */
  impact: Impact | undefined
  limit: string
  isCounting: boolean
  /** Counts the records again; undefined while nothing was changed since. */
  onCount: (() => void) | undefined
}

/** For how many records the selected automation would hold if it were published now. */
function ImpactNote({ automation, impact, limit, isCounting, onCount }: ImpactNoteProps): ReactElement {
  const words = isCounting
    ? 'Counting the records…'
    : impact
      ? [impactOfOne(automation, impact), limit].filter(Boolean).join(' ')
      : 'Its records are not counted yet.'
  return (
    <div className="automation-impact">
      <p role="status">
        <strong>If published now</strong> {words}
      </p>
      {onCount && !isCounting && <Button size="small" icon="refresh" text="Count again" onClick={onCount} />}
    </div>
  )
}

function isSameCondition(one: Automation, other: Automation): boolean {
  return (['name', 'of', 'when', 'while', 'is_on'] as const).every((key) => isEqual(one[key], other[key]))
}
