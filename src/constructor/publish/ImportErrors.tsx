import { Button, Callout, Classes } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Problem } from '../../contract/locate.ts'

interface Props {
  problems: Problem[]
  /** It is the draft now; what is missing keeps it only from being published. */
  isTaken: boolean
  onClose: () => void
}

/** What keeps a file from being taken as the draft, or what is missing in it, with the place of each. */
export function ImportErrors({ problems, isTaken, onClose }: Props): ReactElement {
  return (
    <Callout className="constructor-refused" intent={isTaken ? 'warning' : 'danger'} role="alert">
      <h2 className={Classes.HEADING}>
        {isTaken
          ? 'The file is the draft now, but pictures are missing'
          : 'The file was not taken; the draft is as it was'}
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
