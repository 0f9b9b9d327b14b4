import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactElement, useCallback } from 'react'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import { outsideFields } from '../../contract/meta/outsideFields.ts'
import { META_OF } from '../../contract/meta/recordFields.ts'
import { useContract } from '../../engine/core/contract.ts'
import { copyText } from '../../engine/core/copyText.ts'
import { Dialog } from '../../engine/core/Dialog.tsx'
import { notify } from '../../engine/core/notices.ts'
import { ScrollRegion } from '../../engine/core/ScrollRegion.tsx'
import { useItemLabels } from '../../engine/core/useItemLabels.ts'
import { automationsInWords } from '../forms/automationsInWords.ts'
import { deadlinesInWords } from '../forms/deadlinesInWords.ts'
import { formInWords, type InWords, textInWords } from '../forms/formInWords.ts'
import { FORMS } from '../state/caseType.ts'
import type { EditorState } from '../state/useEditor.ts'

/**
 * The form that is being edited, in numbered sentences to read, print or copy, with the automations and deadlines of its
 * records; or all of these while their tab is open.
 */
export default function InWordsDialog({
  editor,
  onClose,
}: {
  editor: EditorState
  onClose: () => void
}): ReactElement {
  const { meta } = editor.editorContext
  const { draft } = editor.history
  const contract = useContract()
  const { entities } = contract
  const isForm = editor.tab !== 'automations'
  const describe = useCallback(
    (itemLabel: ItemLabel) => {
      const isShown = ({ of }: { of: 'case' | 'issue' }) => !isForm || META_OF[of] === meta
      const reach = { metas: draft, entities }
      return [
        ...(isForm ? formInWords(draft[meta], itemLabel, outsideFields(meta, draft, contract)) : []),
        ...automationsInWords(draft, draft.automations.filter(isShown), itemLabel),
        ...deadlinesInWords(reach, draft.deadlines.filter(isShown), itemLabel),
      ]
    },
    [draft, meta, isForm, contract, entities],
  )
  const parts = useItemLabels(describe)
  const form = FORMS.find((one) => one.meta === meta)!.title.toLowerCase()
  const title = `${draft.label}: ${isForm ? form : 'automations'} in words`
  const copy = async () => {
    const isCopied = await copyText(textInWords(title, parts))
    if (isCopied) notify({ kind: 'success', text: 'Copied' })
    else notify({ kind: 'error', text: 'The browser does not let this be copied' })
  }
  return (
    <Dialog isOpen className="dialog constructor-history print-sheet" title={title} onClose={onClose}>
      <DialogBody>
        <h1 className="print-only">{title}</h1>
        <ScrollRegion
          label={isForm ? 'The form in words' : 'The automations in words'}
          className="constructor-words"
        >
          {parts.length === 0 && <p>There is nothing yet.</p>}
          {parts.map((part, i) => (
            // An index as key, because group names may be duplicate until that error is fixed.
            <section key={i}>
              <h3>{heading(part)}</h3>
              <Sentences {...part} />
              <Questions questions={part.below} />
            </section>
          ))}
        </ScrollRegion>
      </DialogBody>
      <DialogFooter
        className="no-print"
        actions={
          <>
            <Button text="Copy as text" onClick={copy} />
            <Button icon="print" text="Print" onClick={() => window.print()} />
            <Button text="Close" intent="primary" onClick={onClose} />
          </>
        }
      />
    </Dialog>
  )
}

function Questions({ questions }: { questions: InWords[] }) {
  if (questions.length === 0) return null
  return (
    <ul>
      {questions.map((question, i) => (
        <li key={i} className="constructor-question">
          <strong>{heading(question)}</strong>
          <Sentences {...question} />
          <Questions questions={question.below} />
        </li>
      ))}
    </ul>
  )
}

function Sentences({ sentences }: InWords) {
  return sentences.length > 0 && <p>{sentences.join(' ')}</p>
}

function heading({ number, label }: InWords): string {
  return number ? `${number} ${label}` : label
}
