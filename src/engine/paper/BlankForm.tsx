import { Button, HTMLSelect } from '@blueprintjs/core'
import { useContext } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import type { Group } from '../../contract/generated.ts'
import { ItemLabelsProvider } from '../itemLabels/ItemLabelsProvider.tsx'
import { Busy } from '../page/Busy.tsx'
import { ErrorCard } from '../page/ErrorCard.tsx'
import { Heading } from '../page/Heading.tsx'
import { PageContext } from '../page/pageContext.ts'
import { useRead } from '../runtime/calls.ts'
import { useLookup } from '../runtime/lookups.ts'
import { PaperForm } from './PaperForm.tsx'

interface CaseType {
  label: string
  version: number
  case_meta: Group[]
  issue_meta: Group[]
}

/** The forms of a case type to print and fill by hand; the address may name it. */
export default function BlankForm() {
  const { id } = useParams()
  const navigate = useNavigate()
  const { titles } = useContext(PageContext)
  const caseTypes = useLookup('case_type')
  const { data, error, refetch } = useRead<CaseType>(id ? 'caseTypes.read' : undefined, { params: { id } })
  const product = titles.at(-1) ?? ''
  return (
    <>
      <div className="no-print">
        <Heading>Blank form to print</Heading>
        <div className="paper-tools">
          <label htmlFor="paper-case-type">Case type</label>
          <HTMLSelect
            id="paper-case-type"
            iconProps={{ title: undefined }}
            value={id ?? ''}
            onChange={(event) => navigate(`/blank-form/${event.currentTarget.value}`)}
          >
            <option value="">Choose…</option>
            {caseTypes?.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </HTMLSelect>
          {data && <Button icon="print" text="Print" onClick={() => window.print()} />}
        </div>
      </div>
      {error && <ErrorCard error={error} onRetry={() => void refetch()} />}
      {id && !data && !error && <Busy lines={10} />}
      {data && (
        <ItemLabelsProvider>
          {(['case_meta', 'issue_meta'] as const).map((meta) => (
            <PaperForm
              key={meta}
              product={product}
              caseType={data.label}
              version={`Version ${data.version}`}
              title={meta === 'case_meta' ? 'Case form' : 'Issue form'}
              groups={data[meta]}
            />
          ))}
        </ItemLabelsProvider>
      )}
    </>
  )
}
