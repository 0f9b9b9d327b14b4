import { Button, Callout } from '@blueprintjs/core'
import { type ReactElement, useEffect, useRef } from 'react'
import { momentText } from '../engine/cells/dates.ts'
import type { Clash } from './useSave.ts'
import type { Work } from './useWorkbench.ts'

/** Somebody else published a version meanwhile: whose shall count. Nothing is lost before that is answered. */
export function Conflict({ clash, work }: { clash: Clash; work: Work }): ReactElement {
  const { by, at, theirs } = clash
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} role="alert">
      <Callout intent="warning" title={`Changed by ${by ?? 'somebody else'} since you opened it`}>
        <p>
          {at && `Version ${theirs.version} was saved on ${momentText(at)}. `}
          Reload it and your changes are gone, or save yours on top and theirs are replaced; their version
          stays in the history.
        </p>
        <div className="constructor-buttons">
          <Button text="Reload theirs" onClick={() => work.takeTheirs(theirs)} />
          <Button intent="warning" text="Save mine on top" onClick={() => void work.save(theirs)} />
        </div>
      </Callout>
    </div>
  )
}
