import { Button } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'
import { endingsOf, fileError } from '../../contract/fileKinds.ts'
import { isSet } from '../../contract/when.ts'
import { makeCall } from '../runtime/calls.ts'
import { useContract } from '../runtime/contract.ts'
import { fieldErrors } from '../runtime/fieldErrors.ts'
import { StoredFile } from './StoredFile.tsx'
import { controlProps, type FieldWidgetProps, fieldOf } from './widgetProps.ts'

const UNAVAILABLE = 'Files cannot be uploaded here yet'

/** A file input: uploads at once and stores the file's id; saving the record attaches it. */
export function FileInput(props: FieldWidgetProps) {
  const { id, value, onChange, onBlur } = props
  const field = fieldOf(props.options)!
  const contract = useContract()
  const [announcement, setAnnouncement] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const remove = useRef<HTMLButtonElement>(null)
  const hasFocus = useRef(false)
  const isHere = isSet(value)
  // Only one of the two controls is rendered: move the focus to the other.
  useEffect(() => {
    if (hasFocus.current) (isHere ? remove : input).current?.focus()
    hasFocus.current = false
  }, [isHere])
  const change = (file: number | undefined, words: string) => {
    hasFocus.current = [input.current, remove.current].includes(document.activeElement as never)
    setAnnouncement(words)
    onChange(file)
  }
  const canUpload = 'files.upload' in contract.endpoints
  const upload = async (file: File | undefined) => {
    if (!file) return
    if (!canUpload) return setAnnouncement(UNAVAILABLE)
    const wrong = fileError(field, file)
    if (wrong) return setAnnouncement(wrong)
    const body = new FormData()
    body.append('file', file)
    setAnnouncement(`Uploading ${file.name}…`)
    try {
      const reply = await makeCall<{ id: number }>(contract, 'files.upload', { body })
      change(reply.id, `${file.name} is uploaded`)
    } catch (error) {
      setAnnouncement(fieldErrors(error)?.file?.[0] ?? `${file.name} could not be uploaded`)
    }
  }
  return (
    <div className="file">
      {isHere ? (
        <p>
          <StoredFile id={Number(value)} />
          <Button
            ref={remove}
            variant="minimal"
            size="small"
            text="Remove"
            aria-label={`Remove ${field.label}`}
            onClick={() => change(undefined, '')}
          />
        </p>
      ) : (
        <input
          ref={input}
          type="file"
          {...controlProps(props)}
          accept={endingsOf(field.attrs?.accept)
            ?.map((ending) => `.${ending}`)
            .join()}
          onChange={(event) => upload(event.target.files?.[0])}
          onBlur={() => onBlur(id, value)}
        />
      )}
      {/* Whoever sees the file sees that it is there. */}
      <p aria-live="polite" className={isHere ? 'visually-hidden' : undefined}>
        {canUpload ? announcement : UNAVAILABLE}
      </p>
    </div>
  )
}
