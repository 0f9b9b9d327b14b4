import { Button } from '@blueprintjs/core'
import { type ReactElement, useRef, useState } from 'react'
import type { Problem } from '../../contract/locate.ts'
import { useContract } from '../../engine/runtime/contract.ts'
import type { EditorState } from '../useEditor.ts'

interface Props {
  editor: EditorState
  /** Mistakes of the file, or pictures that are missing where it is taken; none where another is tried. */
  onErrors: (problems: Problem[], isTaken: boolean) => void
}

/** Takes the forms of a file as the draft; a file with a mistake changes nothing. */
export function ImportButton({ editor, onErrors }: Props): ReactElement {
  const contract = useContract()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const importChosen = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    onErrors([], false)
    try {
      const { importFile } = await import('./importFile.ts')
      // The HTTP client tells the person when the server cannot be asked.
      const result = await importFile(contract, editor, file).catch(() => undefined)
      if (!result) return
      if ('problems' in result) return onErrors(result.problems, false)
      onErrors(result.missing, true)
      editor.history.replace(result.draft, `Imported ${file.name}`)
      editor.editorContext.announce(`${file.name} is the draft now`)
    } finally {
      setBusy(false)
      if (input.current) input.current.value = ''
    }
  }
  return (
    <>
      <Button icon="import" text="Import…" loading={busy} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label="File to import"
        onChange={(event) => void importChosen(event.target.files?.[0])}
      />
    </>
  )
}
