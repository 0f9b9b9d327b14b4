import { Button } from '@blueprintjs/core'
import { type ReactElement, type ReactNode, useMemo } from 'react'
import { shortDeadline } from '../../contract/deadlines/describeDeadline.ts'
import { inFull } from '../../contract/pluralise.ts'
import { useContract } from '../../engine/core/contract.ts'
import type { EditorState } from '../state/useEditor.ts'
import { AutomationEditor } from './AutomationEditor.tsx'
import { DeadlineEditor } from './DeadlineEditor.tsx'
import { DefinitionList } from './DefinitionList.tsx'
import { impactOfDeadline } from './deadlineImpactWords.ts'
import { AUTOMATIONS, DEADLINES } from './definitionLists.ts'
import { ImpactActions } from './ImpactActions.tsx'
import { impactOfOne } from './impactWords.ts'
import { selectedDefinition } from './selectedDefinition.ts'
import { useCounted } from './useCounted.ts'
import { useDefinitionEdits } from './useDefinitionEdits.ts'
import type { DeadlineImpact, Impact } from './useImpact.ts'
import { verbsOf } from './verbs.ts'

/** The panes of the automations and deadlines: their lists, and the sentence of the selected one. */
export default function AutomationPanes({ editor }: { editor: EditorState }): ReactElement {
  const { draft } = editor.history
  const { automations, deadlines } = draft
  const edits = useDefinitionEdits(editor, AUTOMATIONS)
  const deadlineEdits = useDefinitionEdits(editor, DEADLINES)
  const selected = selectedDefinition(editor)
  const { base } = editor
  const { entities } = useContract()
  const reach = useMemo(() => ({ metas: draft, entities }), [draft, entities])
  const numbers = useCounted(editor)
  const place = selected && { list: selected.list, name: selected.definition.name }
  return (
    <>
      <div className="constructor-pane constructor-structure">
        <DefinitionList
          kind={AUTOMATIONS}
          edits={edits}
          definitions={automations}
          selected={place}
          errors={editor.errors}
          factsOf={(one) => (
            <>
              <span>{verbsOf(one) || 'Nothing happens yet'}</span>
              {one.is_on === false ? <span>off</span> : <Held impact={numbers.ofAutomation(one)} />}
            </>
          )}
          onSelect={editor.selectDefinition}
        />
        <DefinitionList
          kind={DEADLINES}
          edits={deadlineEdits}
          definitions={deadlines}
          selected={place}
          errors={editor.errors}
          factsOf={(one) => (
            <>
              <span>{shortDeadline(one, reach) || 'Never due yet'}</span>
              {one.is_on === false ? <span>off</span> : <Pressing impact={numbers.ofDeadline(one)} />}
            </>
          )}
          onSelect={editor.selectDefinition}
        />
      </div>
      <section className="constructor-pane constructor-settings" aria-label="Sentence">
        {!selected && (
          <p className="constructor-hint">
            Add an automation to say what follows from the facts of a record, or a deadline to say what is due
            and when.
          </p>
        )}
        {selected?.list === 'automations' && (
          <AutomationEditor
            key={`automation ${selected.definition.name}`}
            automation={selected.definition}
            editor={editor}
            edits={edits}
          />
        )}
        {selected?.list === 'deadlines' && (
          <DeadlineEditor
            key={`deadline ${selected.definition.name}`}
            deadline={selected.definition}
            editor={editor}
            edits={deadlineEdits}
            notices={{
              automations,
              edits,
              onOpen: ({ name }) => editor.selectDefinition({ list: 'automations', name }),
              onStay: () => editor.selectDefinition(place!),
            }}
          />
        )}
        {selected && base.version > 0 && (
          <ImpactNote
            words={
              selected.list === 'automations'
                ? wordsOf(numbers.ofAutomation(selected.definition), (it) =>
                    impactOfOne(selected.definition, it),
                  )
                : wordsOf(numbers.ofDeadline(selected.definition), (it) =>
                    impactOfDeadline(selected.definition, it),
                  )
            }
            limit={numbers.limit}
            isCounting={numbers.isCounting}
            onCount={numbers.countAgain}
          >
            <ImpactActions {...{ editor, selected, numbers }} />
          </ImpactNote>
        )}
      </section>
    </>
  )
}

function wordsOf<T>(impact: T | undefined, words: (impact: T) => string): string | undefined {
  return impact && words(impact)
}

function Held({ impact }: { impact: Impact | undefined }) {
  if (!impact) return null
  return <span>{`holds for ${inFull(impact.holds)}`}</span>
}

function Pressing({ impact }: { impact: DeadlineImpact | undefined }) {
  if (!impact || impact.late + impact.soon === 0) return null
  if (impact.late > 0) return <span className="automation-late">{`${inFull(impact.late)} late`}</span>
  return <span>{`${inFull(impact.soon)} soon`}</span>
}

interface Props {
  /** Undefined until it is counted. */
  words: string | undefined
  limit: string
  isCounting: boolean
  /** Counts the records again; undefined while nothing was changed since. */
  onCount: (() => void) | undefined
  /** What can be done about the records. */
  children: ReactNode
}

/** What would become of records if the selected automation or deadline were published now. */
function ImpactNote({ words, limit, isCounting, onCount, children }: Props): ReactElement {
  const counted = words ? [words, limit].filter(Boolean).join(' ') : 'Its records are not counted yet.'
  return (
    <div className="automation-impact">
      <p role="status">
        <strong>If published now</strong> {isCounting ? 'Counting the records…' : counted}
      </p>
      {!isCounting && children}
      {onCount && !isCounting && <Button size="small" icon="refresh" text="Count again" onClick={onCount} />}
    </div>
  )
}
