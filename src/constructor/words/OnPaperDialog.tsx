import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactElement, useContext } from 'react'
import type { PaperScreen } from '../../contract/generated.ts'
import { useContract } from '../../engine/core/contract.ts'
import { Dialog } from '../../engine/core/Dialog.tsx'
import { PageContext } from '../../engine/core/pageContext.ts'
import { ScrollRegion } from '../../engine/core/ScrollRegion.tsx'
import { PaperForm } from '../../engine/kinds/paper/PaperForm.tsx'
import { FORMS } from '../state/caseType.ts'
import type { EditorState } from '../state/useEditor.ts'

/** The form that is being edited, as it is printed to be filled by hand. */
export default function OnPaperDialog({
  editor,
  onClose,
}: {
  editor: EditorState
  onClose: () => void
}): ReactElement {
  const { meta, groups, outside } = editor.editorContext
  const { titles } = useContext(PageContext)
  const { blanks } = useContract().screens['blank-form'] as PaperScreen
  const { base, history, isDirty } = editor
  const version = base.version > 0 ? `Version ${base.version}` : 'Not published yet'
  return (
    <Dialog
      isOpen
      className="dialog constructor-history print-sheet"
      title={`${history.draft.label} on paper`}
      onClose={onClose}
    >
      <DialogBody>
        <ScrollRegion label="The form on paper" className="paper-sheet">
          <PaperForm
            product={titles.at(-1) ?? ''}
            name={history.draft.label}
            about={isDirty ? `Draft after ${version.toLowerCase()}` : version}
            title={FORMS.find((one) => one.meta === meta)!.title}
            blanks={blanks}
            groups={groups}
            outside={outside}
          />
        </ScrollRegion>
      </DialogBody>
      <DialogFooter
        className="no-print"
        actions={
          <>
            <Button icon="print" text="Print" onClick={() => window.print()} />
            <Button text="Close" intent="primary" onClick={onClose} />
          </>
        }
      />
    </Dialog>
  )
}
