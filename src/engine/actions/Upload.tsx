import { Button, type IconName } from '@blueprintjs/core'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { FILE_KINDS } from '../../contract/fileKinds.ts'
import type { Action } from '../../contract/generated.ts'
import { isPlainObject, type Values } from '../../contract/when.ts'
import { useContract } from '../core/contract.ts'
import { linkTo } from '../core/link.ts'
import { type QuestionText, UNSAVED, UnsavedGuard } from '../form/drafts/UnsavedGuard.tsx'
import { useNoStrayDrops } from './useNoStrayDrops.ts'
import { type FileUpload, fileLimit, useUploads } from './useUploads.ts'

/** The file name extensions of all kinds of file. */
const ALL_ENDINGS = Object.values(FILE_KINDS).flatMap(({ endings }) => endings.map((ending) => `.${ending}`))

const LEAVE: QuestionText = {
  ...UNSAVED,
  title: 'Files are still being uploaded',
  text: 'Those that are not uploaded yet will be lost.',
}

/** Uploads each selected or dropped file; a file that failed stays in the list, with its error and a Retry button. */
export default function Upload({ action, params }: { action: Action; params: Values }) {
  const navigate = useNavigate()
  const contract = useContract()
  const { accept = ALL_ENDINGS } = action
  const { files, announcement, add, retry, remove, abort } = useUploads(action.upload!, params)
  const isUploading = files.some(({ state }) => state === 'waiting' || state === 'uploading')
  const isComplete = files.length > 0 && files.every(({ state }) => state === 'done')
  useEffect(() => {
    if (!isComplete) return
    const to = action.then && linkTo(action.then, { ...params, ...firstRecord(files[0].reply) })
    if (to) navigate(to)
  }, [isComplete])
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [over, setOver] = useState(false)
  useNoStrayDrops()
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add(event.dataTransfer.files)
  }
  return (
    <div className="upload">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: people who cannot drop a file use the button */}
      <div
        className={over ? 'upload-area upload-over' : 'upload-area'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <span>
          Drop files here or choose: {accept.map((ending) => ending.slice(1)).join(', ')}, up to{' '}
          {fileLimit(contract, action.upload!)} each
        </span>
        <Button
          ref={button}
          icon={action.icon as IconName}
          text={action.label}
          onClick={() => input.current?.click()}
        />
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={accept.join(',')}
          aria-label={action.label}
          onChange={({ currentTarget }) => {
            add(currentTarget.files ?? [])
            // Reset, so that selecting the same file again fires a change event.
            currentTarget.value = ''
          }}
        />
      </div>
      {files.length > 0 && (
        <ul className="upload-files" aria-label="Uploads">
          {files.map((file) => (
            <UploadItem
              key={file.key}
              upload={file}
              onRetry={() => retry(file.key)}
              onRemove={() => {
                remove(file)
                // The button that had the focus is removed.
                button.current?.focus()
              }}
            />
          ))}
        </ul>
      )}
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <UnsavedGuard when={isUploading} texts={LEAVE} onLeave={async () => abort()} />
    </div>
  )
}

/** The first record of a reply, which may list several. */
function firstRecord(reply: unknown): Values | undefined {
  if (!isPlainObject(reply)) return undefined
  return Array.isArray(reply.data) ? reply.data[0] : reply
}

function UploadItem({
  upload,
  onRetry,
  onRemove,
}: {
  upload: FileUpload
  onRetry: () => void
  onRemove: () => void
}) {
  const { file, state, progress, error } = upload
  const percent = Math.round(progress * 100)
  const about = <span className="visually-hidden">{file.name}</span>
  return (
    <li>
      <span className="upload-name">{file.name}</span>
      {state === 'uploading' && (
        <>
          <progress value={percent} max={100} aria-label={`Uploading ${file.name}`} />
          <span>{percent} %</span>
        </>
      )}
      {state === 'waiting' && <span>Waiting</span>}
      {state === 'done' && <span>Uploaded</span>}
      {state === 'failed' && <span className="upload-error">{error}</span>}
      {state === 'failed' && (
        <Button size="small" icon="refresh" text={<>Retry {about}</>} onClick={onRetry} />
      )}
      <Button
        size="small"
        variant="minimal"
        text={
          <>
            {state === 'uploading' || state === 'waiting' ? 'Cancel' : 'Dismiss'} {about}
          </>
        }
        onClick={onRemove}
      />
    </li>
  )
}
