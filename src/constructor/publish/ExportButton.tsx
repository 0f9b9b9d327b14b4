import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { save } from '../../engine/core/download.ts'
import { draftOf } from '../state/caseType.ts'
import type { EditorState } from '../state/useEditor.ts'

/** Downloads the draft as a JSON file, which can be imported here or elsewhere. */
export function ExportButton({ editor: { base, history } }: { editor: EditorState }): ReactElement {
  const exportDraft = () => {
    const text = `${JSON.stringify({ service: base.service, ...draftOf(history.draft) }, null, 2)}\n`
    const name = history.draft.label.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
    save(new Blob([text], { type: 'application/json' }), `${name || 'case-type'}.json`)
  }
  return <Button icon="export" text="Export" onClick={exportDraft} />
}
