import { Link } from 'react-router-dom'
import { landing } from '../../../contract/access.ts'
import { DRAFT_DAYS } from '../../../contract/limits.ts'
import { useContract } from '../../core/contract.ts'
import { statusOf } from '../../core/describeError.ts'
import { ErrorCard } from '../../core/ErrorCard.tsx'
import { Missing } from '../../core/Missing.tsx'
import { useUser } from '../../core/user.ts'

/**
 * Error page of a draft that could not be loaded. Most missing drafts were saved as records, such as before Back in the
 * browser, so it links to the start page of the user.
 */
export function DraftMissing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { roles, screens } = useContract()
  const { groups } = useUser()
  if (statusOf(error) !== 404) return <Missing what="draft" error={error} onRetry={onRetry} />
  const home = landing(roles, groups)
  const start = Object.values(screens).find(({ route }) => route === home)
  return (
    <ErrorCard heading="h1" title="This draft no longer exists">
      <p>It was saved as a record, discarded, or not changed for {DRAFT_DAYS} days.</p>
      {start && (
        <p>
          <Link to={home}>Go to {start.title}</Link>
        </p>
      )}
    </ErrorCard>
  )
}
