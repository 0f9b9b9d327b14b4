import { pathsOfDeadline } from '../../contract/deadlines/deadlineUses.ts'
import type { Automation, Deadline } from '../../contract/generated.ts'
import { pathsOf } from '../../contract/when.ts'
import type { EditorState } from '../state/useEditor.ts'

/** The automation or the deadline whose sentence is open. */
export type Selected =
  | { list: 'automations'; definition: Automation }
  | { list: 'deadlines'; definition: Deadline }

/** The selected automation or deadline, else the first one. */
export function selectedDefinition({ history, definition: place }: EditorState): Selected | undefined {
  const { automations, deadlines } = history.draft
  const all: Selected[] = [
    ...automations.map((definition): Selected => ({ list: 'automations', definition })),
    ...deadlines.map((definition): Selected => ({ list: 'deadlines', definition })),
  ]
  const inList = all.filter(({ list }) => list === place?.list)
  return inList.find(({ definition }) => definition.name === place?.name) ?? inList[0] ?? all[0]
}

/** The paths of what an automation or a deadline looks at. */
export function pathsOfDefinition({ list, definition }: Selected): string[] {
  return list === 'automations' ? pathsOf(definition.when) : pathsOfDeadline(definition)
}
