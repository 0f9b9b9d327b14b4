import { Button, Callout, Classes } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Problem } from '../../contract/locate.ts'

interface Props {
  problems: Problem[]
  /** The file was imported; missing pictures only prevent publishing. */
  isTaken: boolean
  onClose: () => void
}

/** Errors that prevented an import, or pictures missing in an imported file, each with line and column. */
export function ImportErrors({ problems, isTaken, onClose }: Props): ReactElement {
  return (
    <Callout className="constructor-refused" intent={isTaken ? 'warning' : 'danger'} role="alert">
      <h2 className={Classes.HEADING}>
        {isTaken
          ? 'The file is the draft now, but pictures are missing'
          : 'The file was not imported; the draft is unchanged'}
      </h2>
      <ul>
        {problems.map(({ file, line, column, message }) => (
          <li key={`${line}:${column} ${message}`}>
            {message}{' '}
            <span className="constructor-facts">
              {file}, line {line}, column {column}
            </span>
          </li>
        ))}
      </ul>
      <Button size="small" text="Close" onClick={onClose} />
    </Callout>
  )
}
