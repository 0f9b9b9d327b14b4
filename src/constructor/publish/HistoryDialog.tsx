import { Button, DialogBody } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { pluralise } from '../../contract/pluralise.ts'
import type { Reply } from '../../contract/reply.ts'
import type { AnswerMigration, CaseTypeVersion } from '../../contract/types/entities.ts'
import { makeCall, useRead } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { Dialog } from '../../engine/core/Dialog.tsx'
import { formatDateTime } from '../../engine/core/dates.ts'
import { ErrorCard } from '../../engine/core/ErrorCard.tsx'
import { type Kept, keepAnswered } from '../forms/keepAnswered.ts'
import { type CaseType, type Draftable, draftOf } from '../state/caseType.ts'
import type { EditorState } from '../state/useEditor.ts'
import { Differences } from './Differences.tsx'
import { MigrationOfVersion } from './MigrationOfVersion.tsx'

const NOW = 'what is published now'

type Version = Reply<Omit<CaseTypeVersion, MetaName | 'tests' | 'automations' | 'deadlines'>>

/**
 * Published versions with author, date and note; an older one can be compared with the latest, the latest with the
 * draft.
 */
export default function HistoryDialog({
  editor,
  onClose,
}: {
  editor: EditorState
  onClose: () => void
}): ReactElement {
  const { base, history, isDirty } = editor
  const contract = useContract()
  const { data, error, refetch } = useRead<Version[]>('caseTypes.versions', { params: { id: base.id } })
  const { data: migrations } = useRead<Reply<AnswerMigration>[]>('caseTypes.migrations', {
    params: { id: base.id },
  })
  const [chosen, setChosen] = useState<number>()
  // Somebody may have published since the draft was begun here.
  const published = useRead<CaseType>('caseTypes.read', { params: { id: String(base.id) } }).data ?? base
  const latest = published.version > base.version ? published : base
  const restore = async (version: number) => {
    const params = { id: base.id, version }
    // The HTTP client shows the error.
    const old = await makeCall<Draftable>(contract, 'caseTypes.version', { params }).catch(() => undefined)
    if (!old) return
    const { metas, kept } = keepAnswered(old, latest, editor.usage)
    const words = [
      `Version ${version} is in the draft; publish it to put it into use`,
      ...keptSince(kept),
    ].join('. ')
    editor.replaceParts(draftOf(metas), `Version ${version} restored`, words)
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
            const migration = migrations?.find((one) => one.version === version)
            const isOld = version < latest.version
            const side = isOld ? NOW : 'the draft'
            return (
              <li key={version} className="constructor-entry">
                <div className="constructor-version">
                  <strong>Version {version}</strong>
                  <span className="constructor-facts">
                    {[at && formatDateTime(at), by].filter(Boolean).join(' · ')}
                  </span>
                  {note && <p>{note}</p>}
                  {published_anyway && <p>Published although tests failed: {published_anyway}</p>}
                  {migration && (
                    <MigrationOfVersion
                      caseType={base.id}
                      migration={migration}
                      onUndone={() => void refetch()}
                    />
                  )}
                </div>
                {(isOld || isDirty) && (
                  <div className="constructor-buttons">
                    <Button
                      size="small"
                      text={chosen === version ? 'Hide differences' : 'Compare'}
                      aria-expanded={chosen === version}
                      aria-label={`Compare version ${version} with ${side}`}
                      onClick={() => setChosen(chosen === version ? undefined : version)}
                    />
                    <Button
                      size="small"
                      icon="history"
                      text="Restore"
                      aria-label={`Restore version ${version}`}
                      onClick={() => void restore(version)}
                    />
                  </div>
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

/** Says which fields and choices a restored version keeps because records use them; empty if none. */
function keptSince({ fields, choices }: Kept): string[] {
  const parts = [
    fields > 0 && `${pluralise(fields, 'field')} switched off`,
    choices > 0 && `${pluralise(choices, 'choice')} retired`,
  ].filter((part) => part !== false)
  return parts.length > 0 ? [`Kept, because records answer them: ${parts.join(', ')}`] : []
}

interface ComparedProps {
  id: number
  version: number
  after: Draftable
  heads: [string, string]
}

function Compared({ id, version, after, heads }: ComparedProps) {
  const params = { id, version }
  const { data, error, refetch } = useRead<Draftable>('caseTypes.version', { params })
  if (error) return <ErrorCard error={error} onRetry={() => void refetch()} />
  if (!data) return null
  return (
    <div className="constructor-compared">
      <Differences before={data} after={after} heads={heads} />
    </div>
  )
}
