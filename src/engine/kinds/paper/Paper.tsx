import { Button, HTMLSelect } from '@blueprintjs/core'
import { useContext, useId } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Group, PaperScreen } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { Busy } from '../../core/Busy.tsx'
import { useRead } from '../../core/calls.ts'
import { ErrorCard } from '../../core/ErrorCard.tsx'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { Heading } from '../../core/Heading.tsx'
import { ItemLabelsProvider } from '../../core/ItemLabelsProvider.tsx'
import { loadStyle } from '../../core/loadStyle.ts'
import { useLookup } from '../../core/lookups.ts'
import { PageContext } from '../../core/pageContext.ts'
import { PaperForm } from './PaperForm.tsx'

await loadStyle('paper')

/** The forms of a selected item, to print and fill in by hand; the item's id is in the URL. */
export default function Paper({ screen }: { screen: PaperScreen }) {
  const { title, read, choose, name, about, forms, blanks } = screen
  const [search, setSearch] = useSearchParams()
  const id = search.get(choose.param) ?? ''
  const { titles } = useContext(PageContext)
  const control = useId()
  const items = useLookup(choose.lookup)
  const { data, error, refetch } = useRead<Values>(id ? read : undefined, { params: { id } })
  return (
    <>
      <div className="no-print">
        <Heading>{title}</Heading>
        <div className="paper-tools">
          <label htmlFor={control}>{choose.label}</label>
          <HTMLSelect
            id={control}
            iconProps={{ title: undefined }}
            value={id}
            onChange={(event) => setSearch({ [choose.param]: event.currentTarget.value })}
          >
            <option value="">Choose…</option>
            {items?.map(({ value, label }) => (
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
          {forms.map((form) => (
            <PaperForm
              key={form.from}
              product={titles.at(-1) ?? ''}
              name={fillTemplate(name, data)}
              about={fillTemplate(about, data)}
              title={form.title}
              blanks={blanks}
              groups={data[form.from] as Group[]}
            />
          ))}
        </ItemLabelsProvider>
      )}
    </>
  )
}
