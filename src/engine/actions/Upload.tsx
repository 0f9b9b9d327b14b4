import { Button, type IconName } from '@blueprintjs/core'
import { type DragEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Action } from '../../contract/generated.ts'
import { isPlainObject, type Values } from '../../contract/when.ts'
import { linkTo } from '../runtime/link.ts'
import { useNoStrayDrops } from './useNoStrayDrops.ts'
import { type Sending, useUploads } from './useUploads.ts'

/** Takes files, chosen or dropped, and sends each; a file that failed stays, with the reason, to be tried again. */
export default function Upload({ action, params }: { action: Action; params: Values }) {
  const navigate = useNavigate()
  const goOn = (reply: unknown) => {
    if (!action.then || !isPlainObject(reply)) return
    const [first] = (reply.data as Values[] | undefined) ?? [reply]
    const to = linkTo(action.then, { ...params, ...first })
    if (to) navigate(to)
  }
  const { files, announcement, add, retry, drop } = useUploads(action.upload!, params, goOn)
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
        <span>Drop files here or choose</span>
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
          aria-label={action.label}
          onChange={({ currentTarget }) => {
            add(currentTarget.files ?? [])
            // The same file may be chosen again.
            currentTarget.value = ''
          }}
        />
      </div>
      {files.length > 0 && (
        <ul className="upload-files" aria-label="Uploads">
          {files.map((file) => (
            <UploadItem
              key={file.key}
              sending={file}
              onRetry={() => retry(file.key)}
              onDrop={() => {
                drop(file)
                // The button that had the focus is gone.
                button.current?.focus()
              }}
            />
          ))}
        </ul>
      )}
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </div>
  )
}

/** A file on its way, with what can be done about it. */
function UploadItem({
  sending,
  onRetry,
  onDrop,
}: {
  sending: Sending
  onRetry: () => void
  onDrop: () => void
}) {
  const { file, state, progress, error } = sending
  const percent = Math.round(progress * 100)
  const about = <span className="visually-hidden">{file.name}</span>
  return (
    <li>
      <span className="upload-name">{file.name}</span>
      {state === 'going' && (
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
            {state === 'going' || state === 'waiting' ? 'Cancel' : 'Dismiss'} {about}
          </>
        }
        onClick={onDrop}
      />
    </li>
  )
}
