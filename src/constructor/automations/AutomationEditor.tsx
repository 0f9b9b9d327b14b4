import { Button } from '@blueprintjs/core'
import { type ReactElement, useLayoutEffect, useMemo, useRef } from 'react'
import { automationFields } from '../../contract/automations/automationFields.ts'
import { type Verb, verbOf } from '../../contract/automations/outcomes.ts'
import { isQuestion } from '../../contract/fieldTypes.ts'
import type { Automation, Field, Outcome } from '../../contract/generated.ts'
import { ConditionEditor } from '../conditions/Condition.tsx'
import { withNewTest } from '../conditions/conditionRows.ts'
import { Messages } from '../controls/Messages.tsx'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import { messagesInDefinition } from '../state/editorErrors.ts'
import type { EditorState } from '../state/useEditor.ts'
import { DefinitionFrame } from './DefinitionFrame.tsx'
import { OutcomeRow, SentenceRow } from './OutcomeRow.tsx'
import type { DefinitionEdits } from './useDefinitionEdits.ts'
import { VERBS } from './verbs.ts'

const MAX_OUTCOMES = 10

interface Props {
  automation: Automation
  editor: EditorState
  edits: DefinitionEdits<'automations'>
}

/** An automation as one sentence of pickers: when it holds, on which records, and what follows. */
export function AutomationEditor({ automation, editor, edits }: Props): ReactElement {
  const { name, label, of, when, then } = automation
  const { draft } = editor.history
  const { base } = editor
  const reach = useMemo(
    () => withService(automationFields(of, draft), base.service),
    [of, draft, base.service],
  )
  const offered = useMemo(() => [...reach.values()].filter(isQuestion), [reach])
  const place = { list: 'automations', name } as const
  const messagesAt = (at: string) => messagesInDefinition(editor.errors, place, at)
  const change: Change = (part, what, typing) => edits.change({ ...automation, ...part }, what, typing)
  const { box, focusRow } = useFocusedRow()
  const outcomes = outcomeEdits(automation, change, { announce: editor.announce, focusRow })
  // Messages of a single outcome stand at it.
  const ofAll = messagesInDefinition(
    editor.errors.filter(({ at }) => at === 'then'),
    place,
    'then',
  )
  return (
    <div className="automation" ref={box}>
      <DefinitionFrame definition={automation} edits={edits}>
        <TextSetting
          label="Name"
          hint="Everybody who sees the client reads it"
          maxLength={200}
          value={label}
          messages={messagesAt('label')}
          onChange={(text) => change({ label: text }, 'Name', true)}
        />
        <SentenceRow title="When">
          <ConditionEditor
            label="The condition"
            when={when}
            messages={messagesAt('when')}
            reach={reach}
            offered={offered}
            announce={editor.announce}
            onChange={(next) => change({ when: next ?? withNewTest() }, 'Condition')}
          />
          <RecordPickers {...{ automation, edits, change }} />
        </SentenceRow>
        {then.map((outcome, i) => (
          // An index as key, because outcomes have no names.
          <div key={i} data-outcome={i}>
            <OutcomeRow
              {...{ outcome, of, draft }}
              onChange={(next, typing) => outcomes.set(i, next, typing)}
              onRemove={() => outcomes.remove(i)}
              messagesAt={(key) => messagesAt(`then.${i}.${key}`)}
            />
          </div>
        ))}
        <Messages messages={ofAll} />
        <div className="automation-add">
          <span>Then also</span>
          {Object.entries(VERBS).map(([verb, { name: words }]) => (
            <Button
              key={verb}
              size="small"
              icon="plus"
              text={words}
              aria-label={`Add: ${words}`}
              disabled={then.length >= MAX_OUTCOMES}
              onClick={() => outcomes.add(verb as Verb)}
            />
          ))}
        </div>
      </DefinitionFrame>
    </div>
  )
}

type Change = (part: Partial<Automation>, what: string, typing?: boolean) => void

/** The edits of the outcomes of an automation; adding and removing one moves the focus. */
function outcomeEdits(
  { label, then }: Automation,
  change: Change,
  { announce, focusRow }: { announce: (words: string) => void; focusRow: (i: number) => void },
) {
  return {
    set: (i: number, outcome: Outcome, typing?: boolean) =>
      change({ then: asDraft(then.with(i, outcome)) }, `What follows ${i + 1}`, typing),
    add: (verb: Verb) => {
      focusRow(then.length)
      change({ then: asDraft([...then, VERBS[verb].initial(label)]) }, 'Outcome added')
      announce(`Added: ${VERBS[verb].phrase}`)
    },
    remove: (i: number) => {
      focusRow(Math.min(i, then.length - 2))
      change({ then: asDraft(then.toSpliced(i, 1)) }, 'Outcome removed')
      announce(`Removed: ${VERBS[verbOf(then[i])].phrase}`)
    },
  }
}

/** On which records an automation holds: cases or issues, and whether closed ones too. */
function RecordPickers({ automation, edits, change }: Omit<Props, 'editor'> & { change: Change }) {
  const { while: _, ...always } = automation
  return (
    <div className="automation-inline">
      <SelectSetting
        label="Looks at"
        value={automation.of}
        choices={[
          { value: 'issue', label: 'an issue' },
          { value: 'case', label: 'a case' },
        ]}
        onChange={(next) => next && change({ of: next }, 'Kind of record')}
      />
      <SelectSetting
        label="State of the record"
        quiet
        value={automation.while ?? 'any'}
        choices={[
          { value: 'any', label: 'open or closed' },
          { value: 'open', label: 'only while it is open' },
        ]}
        onChange={(next) =>
          next === 'open'
            ? change({ while: 'open' }, 'State of the record')
            : edits.change(always, 'State of the record')
        }
      />
    </div>
  )
}

/** A draft may be without any outcome. */
function asDraft(then: Outcome[]): Automation['then'] {
  return then as Automation['then']
}

/** Lists that depend on the service offer those of the case type's. */
function withService(reach: Map<string, Field>, service: number): Map<string, Field> {
  const depends = ['issue_types', 'contracts']
  return new Map(
    [...reach].map(([path, field]) =>
      path.includes('.') && depends.includes(field.attrs?.lookup ?? '')
        ? [path, { ...field, attrs: { ...field.attrs, lookup_params: { service } } }]
        : [path, field],
    ),
  )
}

/** Moves the focus after the next render to the first control of an outcome, or to the buttons that add one. */
function useFocusedRow() {
  const box = useRef<HTMLDivElement>(null)
  const next = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (next.current === undefined) return
    const row =
      box.current?.querySelector(`[data-outcome="${next.current}"]`) ??
      box.current?.querySelector('.automation-add')
    next.current = undefined
    row?.querySelector<HTMLElement>('textarea, input, select, button')?.focus()
  })
  return {
    box,
    focusRow: (i: number) => {
      next.current = i
    },
  }
}
