import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { isSet } from '../../contract/when.ts'
import { makeCall } from '../calls.ts'
import { useContract } from '../contract.ts'
import { fieldErrors } from '../fieldErrors.ts'
import { type AskProps, controlProps, specOf } from './ask.ts'
import { StoredFile } from './StoredFile.tsx'

const UNAVAILABLE = 'Files cannot be uploaded here yet'

/** A file: sent at once, and known by its id from then on; a save attaches it. */
export function FileInput(ask: AskProps) {
  const { id, value, onChange, onBlur } = ask
  const contract = useContract()
  const [says, setSays] = useState('')
  const canUpload = 'files.upload' in contract.endpoints
  const upload = async (file: File | undefined) => {
    if (!file) return
    if (!canUpload) return setSays(UNAVAILABLE)
    const body = new FormData()
    body.append('file', file)
    setSays(`Uploading ${file.name}…`)
    try {
      const reply = await makeCall<{ id: number }>(contract, 'files.upload', { body })
      onChange(reply.id)
      setSays(`${file.name} is uploaded`)
    } catch (error) {
      setSays(fieldErrors(error)?.file?.[0] ?? `${file.name} could not be uploaded`)
    }
  }
  return (
    <div className="file">
      {isSet(value) && (
        <p>
          <StoredFile id={Number(value)} />
          <Button
            variant="minimal"
            size="small"
            text="Remove"
            aria-label={`Remove ${specOf(ask.options)!.label}`}
            onClick={() => onChange(undefined)}
          />
        </p>
      )}
      <input
        type="file"
        {...controlProps(ask)}
        onChange={(event) => upload(event.target.files?.[0])}
        onBlur={() => onBlur(id, value)}
      />
      <p aria-live="polite">{canUpload ? says : UNAVAILABLE}</p>
    </div>
  )
}
