import { Button, DialogBody } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { amount } from '../../contract/meta/impactCount.ts'
import { type Kept, keepAnswered } from '../../contract/meta/keepAnswered.ts'
import { formatDateTime } from '../../engine/cells/dates.ts'
import { Dialog } from '../../engine/page/Dialog.tsx'
import { ErrorCard } from '../../engine/page/ErrorCard.tsx'
import { useRead } from '../../engine/runtime/calls.ts'
import type { CaseType, Draftable } from '../caseType.ts'
import type { EditorState } from '../useEditor.ts'
import { Differences } from './Differences.tsx'

const NOW = 'what is published now'

interface Version {
  version: number
  label: string
  note: string
  /** Why it was published although tests failed. */
  published_anyway?: string
  by: string
  at: string
}

/** What was published when, by whom and why; each version can be compared with what is published now, that with the draft. */
export default function HistoryDialog({
  editor,
  onClose,
}: {
  editor: EditorState
  onClose: () => void
}): ReactElement {
  const { base, history, isDirty } = editor
  const { data, error, refetch } = useRead<Version[]>('caseTypes.versions', { params: { id: base.id } })
  const [chosen, setChosen] = useState<number>()
  // Somebody may have published since the draft was begun here.
  const published = useRead<CaseType>('caseTypes.read', { params: { id: String(base.id) } }).data ?? base
  const latest = published.version > base.version ? published : base
  const restore = (version: number, old: Draftable) => {
    const { metas, kept } = keepAnswered(old, latest, editor.usage)
    history.replace(metas, `Version ${version} taken up`)
    editor.editorContext.announce(
      [`Version ${version} is in the draft; publish it to make it count`, ...keptSince(kept)].join('. '),
    )
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
          {data?.map(({ version, note, published_anyway, by, at }) => {
            const isOld = version < latest.version
            const side = isOld ? NOW : 'the draft'
            return (
              <li key={version} className="constructor-entry">
                <div className="constructor-version">
                  <strong>Version {version}</strong>
                  <span className="constructor-facts">
                    {[formatDateTime(at), by].filter(Boolean).join(' · ')}
                  </span>
                  {note && <p>{note}</p>}
                  {published_anyway && <p>Published although tests failed: {published_anyway}</p>}
                </div>
                {(isOld || isDirty) && (
                  <Button
                    size="small"
                    text={chosen === version ? 'Hide differences' : `Compare with ${side}`}
                    aria-expanded={chosen === version}
                    aria-label={`Compare version ${version} with ${side}`}
                    onClick={() => setChosen(chosen === version ? undefined : version)}
                  />
                )}
                {chosen === version && (
                  <Compared
                    id={base.id}
                    version={version}
                    after={isOld ? latest : history.draft}
                    heads={[
                      `Version ${version}`,
                      isOld ? `Version ${latest.version}, published now` : 'Draft',
                    ]}
                    onRestore={restore}
                  />
                )}
              </li>
            )
          })}
        </ol>
      </DialogBody>
    </Dialog>
  )
}

/** What was added to the old version, in a sentence; none where nothing was. */
function keptSince({ fields, choices }: Kept): string[] {
  const parts = [
    fields > 0 && `${amount(fields, 'field')} switched off`,
    choices > 0 && `${amount(choices, 'choice')} retired`,
  ].filter((part) => part !== false)
  return parts.length > 0 ? [`Kept, because records answer them: ${parts.join(', ')}`] : []
}

interface ComparedProps {
  id: number
  version: number
  after: Draftable
  heads: [string, string]
  onRestore: (version: number, old: Draftable) => void
}

function Compared({ id, version, after, heads, onRestore }: ComparedProps) {
  const params = { id, version }
  const { data, error, refetch } = useRead<Draftable>('caseTypes.version', { params })
  if (error) return <ErrorCard error={error} onRetry={() => void refetch()} />
  if (!data) return null
  return (
    <div className="constructor-compared">
      <Differences before={data} after={after} heads={heads} />
      <Button
        size="small"
        icon="history"
        text={`Take up version ${version} again`}
        onClick={() => onRestore(version, data)}
      />
    </div>
  )
}
