import { Button } from '@blueprintjs/core'
import { type ReactElement, useRef, useState } from 'react'
import type { Problem } from '../../contract/locate.ts'
import { useContract } from '../../engine/core/contract.ts'
import { describeError } from '../../engine/core/describeError.ts'
import { notify } from '../../engine/core/notices.ts'
import type { EditorState } from '../state/useEditor.ts'

interface Props {
  editor: EditorState
  /** Errors of a rejected file, or missing pictures of an imported one; empty at the start of an import. */
  onErrors: (problems: Problem[], isTaken: boolean) => void
}

/** Imports a JSON file as the draft; a file with an error changes nothing. */
export function ImportButton({ editor, onErrors }: Props): ReactElement {
  const contract = useContract()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const latest = useRef(editor)
  latest.current = editor
  const importChosen = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    onErrors([], false)
    try {
      const { describeReplacement, importFile } = await import('./importFile.ts')
      // The HTTP client shows the error of a failed request.
      const result = await importFile(contract, editor, file).catch(() => undefined)
      if (!result) return
      if ('problems' in result) return onErrors(result.problems, false)
      onErrors(result.missing, true)
      // The draft may have changed while the server checked the file.
      const { draft } = latest.current.history
      latest.current.replaceParts(
        result.parts,
        `Imported ${file.name}`,
        describeReplacement(file.name, draft, { ...draft, ...result.parts }),
      )
    } catch (error) {
      // A chunk that cannot be fetched, offline or after a new release.
      notify({ kind: 'error', text: describeError(error).text })
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
