import { Button } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'
import { endingsOf, fileError } from '../../../contract/fileKinds.ts'
import { isSet } from '../../../contract/when.ts'
import { makeCall } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { fieldErrors } from '../../core/fieldErrors.ts'
import { formOf } from '../store/formContext.ts'
import { StoredFile } from './StoredFile.tsx'
import { controlProps, type FieldWidgetProps, fieldOf, useLatestOnChange } from './widgetProps.ts'

const UNAVAILABLE = 'Files cannot be uploaded here yet'

/** A file input: uploads at once and stores the file's id; saving the record attaches it. */
export function FileInput(props: FieldWidgetProps) {
  const { id, value, onBlur, registry } = props
  const { store, pathOf } = formOf(registry)
  const path = pathOf(id)
  const onChange = useLatestOnChange(props)
  const field = fieldOf(props.options)!
  const contract = useContract()
  const [announcement, setAnnouncement] = useState('')
  const [uploading, setUploading] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const remove = useRef<HTMLButtonElement>(null)
  const hasFocus = useRef(false)
  const hasFile = isSet(value)
  // Only one of the two controls is rendered: move the focus to the other.
  useEffect(() => {
    if (hasFocus.current) (hasFile ? remove : input).current?.focus()
    hasFocus.current = false
  }, [hasFile])
  // The form cannot be saved without a file that the person sees being uploaded.
  useEffect(() => {
    store.setUnfinished(path, uploading ? `Wait until ${uploading} is uploaded` : undefined)
    return () => store.setUnfinished(path, undefined)
  }, [store, path, uploading])
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
    setUploading(file.name)
    try {
      const reply = await makeCall<{ id: number }>(contract, 'files.upload', { body })
      change(reply.id, `${file.name} is uploaded`)
    } catch (error) {
      setAnnouncement(fieldErrors(error)?.file?.[0] ?? `${file.name} could not be uploaded`)
    } finally {
      setUploading('')
    }
  }
  return (
    <div className="file">
      {hasFile ? (
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
      {/* With a file only for screen readers, because the file itself is visible. */}
      <p aria-live="polite" className={hasFile ? 'visually-hidden' : undefined}>
        {canUpload ? announcement : UNAVAILABLE}
      </p>
    </div>
  )
}
