import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { describeAnswer } from '../../contract/describeAnswer.ts'
import { pluralise } from '../../contract/pluralise.ts'
import type { Reply } from '../../contract/reply.ts'
import type { AnswerMigration } from '../../contract/types/entities.ts'
import type { Values } from '../../contract/when.ts'
import { useSend } from '../../engine/core/calls.ts'
import { notify } from '../../engine/core/notices.ts'
import type { CaseType } from '../state/caseType.ts'

interface Props {
  caseType: number
  migration: Reply<AnswerMigration>
  onUndone: () => void
}

/** A record with values that do not fit, or that were changed before an undo. */
interface OpenRecord {
  case: number
  issue: number | null
  client_name: string
  values: Values
}

/** The progress of moving the answers of a version, the records to look at, and the button that undoes the version. */
export function MigrationOfVersion({ caseType, migration, onUndone }: Props): ReactElement {
  const { version, undoes, state, moved, may_undo, open_count } = migration
  const open = migration.open as unknown as OpenRecord[]
  const undo = useSend<CaseType>('caseTypes.undoMigration')
  const go = async () => {
    // The HTTP client shows the error.
    const published = await undo
      .mutateAsync({ params: { id: caseType }, body: { version } })
      .catch(() => undefined)
    if (!published) return
    notify({ kind: 'success', text: `Version ${version} undone: version ${published.version} is published` })
    onUndone()
  }
  const words = state === 'moving' ? 'are being moved' : `of ${pluralise(moved ?? 0, 'record')} moved`
  return (
    <div className="constructor-facts">
      <p>
        Answers {words}
        {undoes !== null && `, back to what they were before version ${undoes}`}
        {Number(open_count) > 0 && `; ${pluralise(open_count!, 'record')} to look at:`}
      </p>
      {open.length > 0 && (
        <ul className="constructor-sentences">
          {open.map((one) => (
            <li key={`${one.case} ${one.issue}`}>
              <a href={`/cases/${one.case}`} target="_blank" rel="noreferrer">
                {one.client_name}, {one.issue === null ? `case ${one.case}` : `issue ${one.issue}`}
              </a>
              :{' '}
              {Object.values(one.values)
                .map((value) => describeAnswer(undefined, value))
                .join(', ')}
            </li>
          ))}
        </ul>
      )}
      {may_undo && (
        <Button
          size="small"
          icon="undo"
          text="Undo"
          aria-label={`Undo version ${version}`}
          loading={undo.isPending}
          onClick={() => void go()}
        />
      )}
    </div>
  )
}
