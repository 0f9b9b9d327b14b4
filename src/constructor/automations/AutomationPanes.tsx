import type { ReactElement } from 'react'
import type { EditorState } from '../state/useEditor.ts'
import { AutomationEditor } from './AutomationEditor.tsx'
import { AutomationList } from './AutomationList.tsx'
import { selectedAutomation } from './selectedAutomation.ts'
import { useAutomationEdits } from './useAutomationEdits.ts'

/** The panes of the automations: their list, and the sentence of the selected one. */
export default function AutomationPanes({ editor }: { editor: EditorState }): ReactElement {
  const { automations } = editor.history.draft
  const edits = useAutomationEdits(editor)
  const selected = selectedAutomation(editor)
  return (
    <>
      <section className="constructor-pane constructor-structure" aria-labelledby="constructor-automations">
        <AutomationList
          automations={automations}
          selected={selected?.name}
          errors={editor.errors}
          edits={edits}
          onSelect={editor.selectAutomation}
        />
      </section>
      <section className="constructor-pane constructor-settings" aria-label="Sentence">
        {selected ? (
          <AutomationEditor key={selected.name} automation={selected} editor={editor} edits={edits} />
        ) : (
          <p className="constructor-hint">
            Add an automation to say what follows from the facts of a record.
          </p>
        )}
      </section>
    </>
  )
}
