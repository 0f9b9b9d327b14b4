import { useParams } from 'react-router-dom'
import type { CompareScreen } from '../../../contract/generated.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { Busy } from '../../core/Busy.tsx'
import { useRecordBreadcrumbs } from '../../core/breadcrumbs.ts'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { Heading } from '../../core/Heading.tsx'
import { loadStyle } from '../../core/loadStyle.ts'
import { Missing } from '../../core/Missing.tsx'
import { useDocumentTitle } from '../../core/pageContext.ts'
import { CompareForm } from './CompareForm.tsx'
import { CompareSections } from './CompareSections.tsx'

await loadStyle('compare')

/** Two records beside each other, with a choice for each field that differs, and the effects of the call. */
export default function Compare({ screen }: { screen: CompareScreen }) {
  const contract = useContract()
  const params = useParams()
  const { data, error, refetch } = useRead<Values>(screen.read, { params }, { alwaysRefetch: true })
  const values = { ...params, ...data }
  const title = fillTemplate(screen.title, values)
  useDocumentTitle(title)
  useRecordBreadcrumbs(screen, data && values, title)
  if (error) {
    const { title: what } = entityOf(contract, screen.read)
    return <Missing what={what} error={error} onRetry={() => void refetch()} />
  }
  if (!data) return <Busy lines={10} />
  return (
    <article className="compare">
      <div className="compare-head">
        <Heading>{title}</Heading>
        {screen.tag && isSet(data[screen.tag]) && (
          <span className="compare-tag">{String(data[screen.tag])}</span>
        )}
        {screen.about && <span className="compare-dim">{fillTemplate(screen.about, values)}</span>}
      </div>
      <div className="compare-body">
        {/* Keyed by the versions, so that a record that others changed meanwhile is compared anew. */}
        <CompareForm
          key={`${data.version} ${data.other_version}`}
          {...{ screen, params }}
          record={data}
          onRefused={() => void refetch()}
        />
        <CompareSections sections={screen.sections} record={data} />
      </div>
    </article>
  )
}
