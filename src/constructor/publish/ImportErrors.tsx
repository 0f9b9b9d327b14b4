import { Button, Callout } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Problem } from '../../contract/locate.ts'

/** What keeps a file from being taken as the draft, with the place of each mistake in it. */
export function ImportErrors(props: { problems: Problem[]; onClose: () => void }): ReactElement {
  const { problems, onClose } = props
  return (
    <Callout
      className="constructor-refused"
      intent="danger"
      role="alert"
      title="The file was not taken; the draft is as it was"
    >
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
