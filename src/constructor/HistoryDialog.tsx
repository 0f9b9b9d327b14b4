import { Button, DialogBody } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { useRead } from '../engine/calls.ts'
import { momentText } from '../engine/cells/dates.ts'
import { Dialog } from '../engine/Dialog.tsx'
import { ErrorCard } from '../engine/ErrorCard.tsx'
import type { Draft } from './caseType.ts'
import { Differences } from './Differences.tsx'
import type { Work } from './useWorkbench.ts'

interface Version {
  version: number
  label: string
  note: string
  by: string
  at: string
}

/** What was published when, by whom and why; each version can be compared with the draft and taken up again. */
export default function HistoryDialog({ work, onClose }: { work: Work; onClose: () => void }): ReactElement {
  const { base, history } = work
  const { data, error, refetch } = useRead<Version[]>('caseTypes.versions', { params: { id: base.id } })
  const [chosen, setChosen] = useState<number>()
  const restore = (version: number, old: Draft) => {
    history.replace(old, `Version ${version} taken up`)
    work.bench.announce(`Version ${version} is in the draft; publish it to make it count`)
    onClose()
  }
  return (
    <Dialog
      isOpen
      className="dialog constructor-history"
      title={`History of ${base.label}`}
      onClose={onClose}
    >
      <DialogBody>
        {error && !data && <ErrorCard error={error} onRetry={() => void refetch()} />}
        {data?.length === 0 && <p>It was never published.</p>}
        <ol className="constructor-versions">
          {data?.map(({ version, note, by, at }) => (
            <li key={version} className="constructor-entry">
              <div className="constructor-version">
                <strong>Version {version}</strong>
                <span className="constructor-facts">{[momentText(at), by].filter(Boolean).join(' · ')}</span>
                {note && <p>{note}</p>}
              </div>
              <Button
                size="small"
                text={chosen === version ? 'Hide differences' : 'Compare with the draft'}
                aria-expanded={chosen === version}
                aria-label={`Compare version ${version} with the draft`}
                onClick={() => setChosen(chosen === version ? undefined : version)}
              />
              {chosen === version && <Compared work={work} version={version} onRestore={restore} />}
            </li>
          ))}
        </ol>
      </DialogBody>
    </Dialog>
  )
}

function Compared(props: { work: Work; version: number; onRestore: (version: number, old: Draft) => void }) {
  const { work, version, onRestore } = props
  const params = { id: work.base.id, version }
  const { data, error, refetch } = useRead<Draft>('caseTypes.version', { params })
  if (error) return <ErrorCard error={error} onRetry={() => void refetch()} />
  if (!data) return null
  return (
    <div className="constructor-compared">
      <Differences before={data} after={work.history.draft} heads={[`Version ${version}`, 'Draft']} />
      <Button
        size="small"
        icon="history"
        text={`Take up version ${version} again`}
        onClick={() => onRestore(version, data)}
      />
    </div>
  )
}
