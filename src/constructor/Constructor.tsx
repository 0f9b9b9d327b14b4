import { type ReactElement, useEffect, useRef } from 'react'
import { useParams } from 'react-router-dom'
import { Busy } from '../engine/core/Busy.tsx'
import { setBreadcrumbs } from '../engine/core/breadcrumbs.ts'
import { useRead } from '../engine/core/calls.ts'
import { ErrorCard } from '../engine/core/ErrorCard.tsx'
import { ItemLabelsProvider } from '../engine/core/ItemLabelsProvider.tsx'
import { useDocumentTitle } from '../engine/core/pageContext.ts'
import { Editor, LIST } from './Editor.tsx'
import { type CaseType, type CaseTypeUsage, type SavedDraft, UNCOUNTED } from './state/caseType.ts'

/** Screen on which administrators edit the case and issue forms of a case type; its id comes from the URL. */
export default function Constructor(): ReactElement {
  const { id } = useParams()
  const type = useRead<CaseType>('caseTypes.read', { params: { id } })
  const usage = useRead<CaseTypeUsage>('caseTypes.usage', { params: { id } })
  const draft = useRead<SavedDraft>('caseTypes.draft', { params: { id } })
  const reads = [type, draft]
  const label = type.data?.label
  useDocumentTitle(label)
  useEffect(() => {
    if (label)
      setBreadcrumbs([
        { label: 'Module Constructor', to: LIST },
        { label, to: `${LIST}/${id}` },
      ])
  }, [label, id])
  // Wait for fresh data: a cached draft may be older than one that others have saved.
  const readyFor = useRef('')
  if (reads.every((read) => read.data && !read.isFetching)) readyFor.current = String(id)
  const failed = reads.find((read) => read.isError && !read.data)
  if (failed) return <ErrorCard error={failed.error} onRetry={() => void failed.refetch()} />
  if (readyFor.current !== id || !type.data || !draft.data) return <Busy />
  return (
    <ItemLabelsProvider>
      <Editor
        key={id}
        loaded={type.data}
        usage={usage.data ?? UNCOUNTED}
        recount={usage.isError && !usage.data ? () => void usage.refetch() : undefined}
        draft={draft.data}
        isReading={type.isFetching || draft.isFetching}
      />
    </ItemLabelsProvider>
  )
}
