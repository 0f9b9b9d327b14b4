import type { Automation } from '../../contract/generated.ts'
import type { EditorState } from '../state/useEditor.ts'

/** The automation whose sentence is open: the selected one, else the first. */
export function selectedAutomation({ history, automation }: EditorState): Automation | undefined {
  const { automations } = history.draft
  return automations.find(({ name }) => name === automation) ?? automations[0]
}
