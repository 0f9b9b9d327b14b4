import { Button } from '@blueprintjs/core'
import { type KeyboardEvent, type ReactElement, type ReactNode, useId, useState } from 'react'
import type { Definition, DefinitionPlace, DefinitionList as ListName } from '../forms/definitions.ts'
import type { EditorError } from '../state/editorErrors.ts'
import { NameDialog } from '../tests/NameDialog.tsx'
import type { DefinitionKind } from './definitionLists.ts'
import type { DefinitionEdits } from './useDefinitionEdits.ts'

const STEPS: Record<string, -1 | 1> = { ArrowUp: -1, ArrowDown: 1 }

interface Props<L extends ListName> {
  kind: DefinitionKind<L>
  definitions: Definition<L>[]
  selected: DefinitionPlace | undefined
  errors: EditorError[]
  edits: DefinitionEdits<L>
  /** A short description of a definition, with the numbers of its records. */
  factsOf: (one: Definition<L>) => ReactNode
  onSelect: (place: DefinitionPlace) => void
}

/** The automations or the deadlines of a case type, each with a short description; Alt with an arrow moves one. */
export function DefinitionList<L extends ListName>(props: Props<L>): ReactElement {
  const { kind, definitions, selected, errors, edits, factsOf, onSelect } = props
  const { list, title, noun, max, hint, naming } = kind
  const id = useId()
  const [isNaming, setNaming] = useState(false)
  const isFull = definitions.length >= max
  const press = (event: KeyboardEvent, one: Definition<L>) => {
    const by = STEPS[event.key]
    if (!by || !event.altKey) return
    event.preventDefault()
    edits.move(one, by)
  }
  return (
    <section className="automation-list" aria-labelledby={id}>
      <div className="automation-heading">
        <h2 id={id}>
          {title} <span className="constructor-facts">{definitions.length}</span>
        </h2>
        <Button
          size="small"
          variant="minimal"
          icon="plus"
          text="Add"
          aria-label={`Add ${article(noun)}`}
          aria-haspopup="dialog"
          disabled={isFull}
          onClick={() => setNaming(true)}
        />
      </div>
      {definitions.length === 0 && <p className="constructor-hint">{hint}</p>}
      {isFull && (
        <p className="constructor-hint">
          A case type has at most {max} {noun}s.
        </p>
      )}
      <ul>
        {definitions.map((one) => {
          const isChosen = selected?.list === list && selected.name === one.name
          const hasError = errors.some(
            ({ definition }) => definition?.list === list && definition.name === one.name,
          )
          return (
            <li key={one.name}>
              <div
                className="constructor-row"
                data-chosen={isChosen || undefined}
                data-off={one.is_on === false || undefined}
              >
                <button
                  type="button"
                  className="constructor-name"
                  aria-current={isChosen || undefined}
                  onClick={() => onSelect({ list, name: one.name })}
                  onKeyDown={(event) => press(event, one)}
                >
                  <span className="constructor-title automation-label">{one.label.trim() || one.name}</span>
                  <span className="constructor-facts automation-facts">
                    {factsOf(one)}
                    {hasError && <strong>has an error</strong>}
                  </span>
                </button>
              </div>
            </li>
          )
        })}
      </ul>
      {isNaming && (
        <NameDialog
          title={`Add ${article(noun)}`}
          hint={naming.hint}
          text="Add"
          named={{ what: noun, label: 'Name', example: naming.example, maxLength: naming.maxLength }}
          taken={definitions.map(({ label }) => label)}
          onName={(label) => {
            setNaming(false)
            edits.add(label)
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </section>
  )
}

function article(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
