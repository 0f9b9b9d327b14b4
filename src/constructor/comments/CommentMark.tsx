import type { ReactElement } from 'react'
import { pluralise } from '../../contract/pluralise.ts'
import type { Address } from '../state/address.ts'
import { useCommentCount } from './commentCounts.ts'

/** The number of open comments on a field, in its row of the structure. */
export function CommentMark({ address }: { address: Address }): ReactElement | null {
  const count = useCommentCount(address)
  return count > 0 ? <span className="constructor-comments">{pluralise(count, 'comment')}</span> : null
}
