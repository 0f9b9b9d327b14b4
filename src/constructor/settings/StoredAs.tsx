import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Field } from '../../contract/generated.ts'
import { answeredIn } from '../../contract/meta/fieldUsage.ts'
import { Messages } from '../controls/Messages.tsx'
import type { Address } from '../state/address.ts'
import { setAttrs } from '../state/edit.ts'
import { useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { answersAt, reservedNames } from '../state/fieldUsage.ts'
import {
  canTake,
  canTakeColumn,
  nameOfColumn,
  nameOfLabel,
  renameField,
  sourceAt,
} from '../state/takeAnswers.ts'

/** The name under which answers are stored; a button names a field after its label, and its answers come along. */
export function StoredAs({ field, address }: { field: Field; address: Address }): ReactElement {
  const editorContext = useEditorContext()
  const { meta, before, groups, usage, errors, edit, editDraft, select, announce } = editorContext
  const source = sourceAt(groups, before, address)
  const from = field.attrs?.takes?.from
  const count = from === undefined ? answersAt(editorContext, address) : (usage[from] ?? 0)
  const isFree = address.length === 2 && (source === undefined || canTake(editorContext, field, address))
  const name = isFree
    ? nameOfLabel(groups, field, reservedNames(editorContext))
    : canTakeColumn(editorContext, address)
      ? nameOfColumn(groups, before, address)
      : undefined
  const rename = (next: string) => {
    const to = [...address.slice(0, -1), next]
    editDraft((draft) => renameField(draft, { meta, before }, address, next).draft, {
      what: 'Stored name',
      at: to,
    })
    select({ address: to, focus: true })
    announce(`Stored as ${next}`)
  }
  const leave = () =>
    edit((all) => setAttrs(all, address, { takes: undefined }), { what: 'Answers', at: address })
  return (
    <div className="constructor-setting">
      <p className="constructor-facts">
        Stored as <code>{field.name}</code>
        {from !== undefined && from !== field.name && (
          <>
            , until now as <code>{from}</code>
          </>
        )}
        {count > 0 && ` · ${answeredIn(meta, count)}`}
      </p>
      {name !== undefined && (
        <Button size="small" onClick={() => rename(name)}>
          Store as <code>{name}</code>
        </Button>
      )}
      {from !== undefined && (
        <Button size="small" variant="minimal" text="Take no answers over" onClick={leave} />
      )}
      <Messages messages={messagesAt(errors, address, 'attrs.takes.from')} />
    </div>
  )
}
