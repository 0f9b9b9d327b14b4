import { Button, Callout } from '@blueprintjs/core'
import { type ReactElement, useEffect, useRef } from 'react'
import { momentText } from '../../engine/cells/dates.ts'
import { hasSavedDraft } from '../caseType.ts'
import { Folded } from '../Folded.tsx'
import type { Work } from '../useWorkbench.ts'
import type { Clash } from './clash.ts'
import { Differences } from './Differences.tsx'

/** Somebody else published or kept other changes meanwhile: whose shall count. Nothing is lost before that is answered. */
export function Conflict({ clash, work }: { clash: Clash; work: Work }): ReactElement {
  const { by, at } = clash
  const box = useRef<HTMLDivElement>(null)
  // What comes by itself must not take the focus out of what is being typed.
  const { wasAsked } = clash
  useEffect(() => {
    if (wasAsked) box.current?.focus()
  }, [wasAsked])
  const theirDraft =
    clash.about === 'published'
      ? hasSavedDraft(clash.draft)
        ? clash.draft
        : clash.theirs
      : hasSavedDraft(clash.theirs)
        ? clash.theirs
        : work.base
  return (
    <div ref={box} tabIndex={-1} role="alert">
      <Callout intent="warning" title={`Changed by ${by ?? 'somebody else'} since you opened it`}>
        <p>
          {wordsOf(clash, at && momentText(at))} Take theirs and your changes are gone, or keep yours and
          theirs are replaced
          {clash.about === 'published' ? '; their version stays in the history.' : '.'}
        </p>
        <Folded summary="What differs">
          <Differences before={theirDraft} after={work.history.draft} heads={['Theirs', 'Yours']} />
        </Folded>
        <div className="constructor-buttons">
          <Button text="Take theirs" onClick={() => work.takeTheirs(clash)} />
          <Button intent="warning" text="Keep mine" onClick={() => work.keepMine(clash)} />
        </div>
      </Callout>
    </div>
  )
}

function wordsOf(clash: Clash, moment: string | undefined): string {
  if (clash.about === 'published') {
    return `Version ${clash.theirs.version} was published${moment ? ` on ${moment}` : ''}.`
  }
  return hasSavedDraft(clash.theirs)
    ? `The draft was changed${moment ? ` on ${moment}` : ''}.`
    : 'The draft was discarded.'
}
