import { Button } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { ChosenFile } from './useChosenFiles.ts'

const WORDS = { chosen: 'Not sent yet', going: '', done: 'Uploaded', failed: '' }

/** The selected files with their progress, and buttons to remove them. */
export function ChosenFiles({
  files,
  onDrop,
}: {
  /** `to` is the address of the result of a file. */
  files: (ChosenFile & { to?: string })[]
  onDrop: (key: string) => void
}) {
  if (files.length === 0) return null
  return (
    <ul className="upload-files" aria-label="Chosen files">
      {files.map(({ key, file, state, progress, error, to }) => (
        <li key={key}>
          <span className="upload-name">{to ? <Link to={to}>{file.name}</Link> : file.name}</span>
          {state === 'going' && (
            <>
              <progress value={Math.round(progress * 100)} max={100} aria-label={`Uploading ${file.name}`} />
              <span>{Math.round(progress * 100)} %</span>
            </>
          )}
          <span>{WORDS[state]}</span>
          {error && <span className="upload-error">{error}</span>}
          {(state === 'chosen' || state === 'failed') && (
            <Button
              size="small"
              variant="minimal"
              text={
                <>
                  Remove <span className="visually-hidden">{file.name}</span>
                </>
              }
              onClick={() => onDrop(key)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
