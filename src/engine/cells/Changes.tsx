import { useContext } from 'react'
import { allows } from '../../contract/access.ts'
import { setRight } from '../../contract/setBy.ts'
import { useContract } from '../core/contract.ts'
import { useUser } from '../core/user.ts'
import { ChangeText } from './ChangeText.tsx'
import type { CellProps } from './cell.ts'
import { PutBackContext } from './putBackContext.ts'

const RESTORE = 'chronology.restore'

/** A changed field, as texts from the server; `field` is its path, by which it can be restored. */
export interface Change {
  field: string
  label: string
  from: string
  to: string
  /** Why the old value cannot be restored. */
  why_not?: string | null
}

/** The changed fields with old and new values; users who may can restore each old value. */
export default function Changes({ changes, row }: { changes: Change[]; row: CellProps['row'] }) {
  const PutBack = useContext(PutBackContext)
  const canRestore = useCanRestore(row)
  return (
    <dl className="changes">
      {changes.map((change) => (
        <div key={change.field}>
          <dt>{change.label}</dt>
          <dd>
            <ChangeText {...change} />
            {PutBack &&
              canRestore(change.field) &&
              (change.why_not ? (
                <span className="read-none">{change.why_not}</span>
              ) : (
                <PutBack call={RESTORE} entry={row.id} change={change} />
              ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/**
 * True for fields that the user may set, in updates that the call can revert, of records that they do not only read; never
 * in a creation or a deletion.
 */
function useCanRestore({ action, entity, may_change }: CellProps['row']): (field: string) => boolean {
  const { endpoints, entities, roles } = useContract()
  const { groups } = useUser()
  const endpoint = endpoints[RESTORE]
  const isCallable = endpoint?.touches?.includes(String(entity)) && allows(roles, endpoint.roles, groups)
  if (!isCallable || action !== 'update' || may_change === false) return () => false
  return (field) => {
    const property = entities[String(entity)]?.properties[field.split('.')[0]]
    return !property || setRight(roles, property, 'update', groups) === 'any'
  }
}
