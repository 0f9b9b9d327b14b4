import { useMemo, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import type { FormScreen } from '../../contract/generated.ts'
import type { ConditionContext, Values } from '../../contract/when.ts'
import { isPlainObject } from '../../contract/when.ts'
import { takeUnsaved } from '../drafts/unsavedDocument.ts'
import { Busy } from '../page/Busy.tsx'
import { Missing } from '../page/RecordMissing.tsx'
import { useRead } from '../runtime/calls.ts'
import { useUser } from '../runtime/user.ts'
import type { WithValues } from '../runtime/useWith.ts'
import { addressOf, NewForm, type Start } from './NewForm.tsx'

interface Draft {
  id: number
  version: number
  payload: { document?: Values; asked?: Values }
}
interface Props {
  screen: FormScreen
  withs: WithValues
  query: Values
  params: Values
}

/** A new record, and those that follow it; the address names the draft to go on with (`?draft=12`). */
export function NewRecord({ screen, withs, query, params }: Props) {
  const user = useUser()
  const { pathname } = useLocation()
  const [search, setSearch] = useSearchParams()
  const address = addressOf(pathname, search)
  // A draft that is made on the way gets into the address too; it is not to be read then.
  const [draft] = useState(() => search.get('draft'))
  const [round, setRound] = useState(0)
  const [start, setStart] = useState<Start | undefined>(() =>
    draft === null ? { unsaved: takeUnsaved(user.id, address, undefined) } : undefined,
  )
  const read = useRead<Draft>(start ? undefined : 'drafts.read', { params: { id: draft } })
  const conditionContext = useMemo<ConditionContext>(
    () => ({ with: withs.values, user, query }),
    [withs.values, user, query],
  )
  if (start) {
    const begin = () => {
      setStart({})
      setRound(round + 1)
      setSearch(new URLSearchParams([...search].filter(([name]) => name !== 'draft')), { replace: true })
    }
    // What the next begins with was read anew by the save, and the query client tells this page in a timer of its own.
    const again = () => setTimeout(begin)
    return (
      <NewForm
        key={round}
        {...{ screen, start, conditionContext, params }}
        isNext={round > 0}
        onAgain={again}
      />
    )
  }
  if (read.error) return <Missing what="draft" error={read.error} onRetry={() => void read.refetch()} />
  // What the cache still has of it may be older than what was saved since.
  if (read.data && !read.isFetching) setStart(startOf(read.data, takeUnsaved(user.id, address, read.data.id)))
  return <Busy lines={10} />
}

function startOf({ id, version, payload }: Draft, unsaved: Values | undefined): Start {
  const document = isPlainObject(payload?.document) ? payload.document : {}
  return { document, draft: { id, version }, unsaved, asked: payload?.asked }
}
