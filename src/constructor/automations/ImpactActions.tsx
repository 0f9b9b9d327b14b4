import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { pluralise } from '../../contract/pluralise.ts'
import type { EditorState } from '../state/useEditor.ts'
import { ImpactRecordsButton } from './ImpactRecords.tsx'
import { hasVerb } from './impactWords.ts'
import type { Selected } from './selectedDefinition.ts'
import type { Counted } from './useCounted.ts'

interface Props {
  editor: EditorState
  selected: Selected
  numbers: Counted
}

/**
 * What can be done about the records that the selected automation or deadline is about: to see them, and to publish with
 * what follows once.
 */
export function ImpactActions({ editor, selected, numbers }: Props): ReactElement | null {
  const { name, label, of } = selected.definition
  const records = (count: number) => ({
    caseType: editor.base.id,
    definitions: numbers.definitions,
    count,
    title: `${label.trim() || name}: ${pluralise(count, of)}`,
  })
  if (selected.list === 'deadlines') {
    const moved = numbers.ofDeadline(selected.definition)?.moved ?? 0
    return moved > 0 ? <ImpactRecordsButton {...records(moved)} named={{ deadline: name }} /> : null
  }
  const impact = numbers.ofAutomation(selected.definition)
  if (!impact || impact.holds === 0) return null
  const { then } = selected.definition
  const notifies = hasVerb(then, 'notify')
  return (
    <>
      <ImpactRecordsButton {...records(impact.holds)} named={{ automation: name }} />
      {impact.begins > 0 && editor.isDirty && (notifies || hasVerb(then, 'step')) && (
        <Button
          size="small"
          variant="outlined"
          text={notifies ? 'Notify them too…' : 'Plan the step too…'}
          aria-haspopup="dialog"
          onClick={() => editor.askToFireEvents(name)}
        />
      )}
    </>
  )
}
