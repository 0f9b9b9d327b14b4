import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { draftOf } from '../caseType.ts'
import type { EditorState } from '../useEditor.ts'

/** Saves the draft as a file of JSON, which can be imported here or elsewhere. */
export function ExportButton({ editor: { base, history } }: { editor: EditorState }): ReactElement {
  const save = () => {
    const text = `${JSON.stringify({ service: base.service, ...draftOf(history.draft) }, null, 2)}\n`
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    link.download = `${history.draft.label.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'case-type'}.json`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href))
  }
  return <Button icon="export" text="Export" onClick={save} />
}
