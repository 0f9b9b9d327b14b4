import { Button } from '@blueprintjs/core'
import type { Sending } from './useUploads.ts'

/** A file on its way, with what can be done about it. */
export function UploadItem({
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
