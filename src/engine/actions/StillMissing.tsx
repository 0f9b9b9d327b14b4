import { Callout } from '@blueprintjs/core'
import type { Values } from '../../contract/when.ts'
import { useRead } from '../calls.ts'

interface Thing {
  id: string
  label: string
}

/** What a call lists as missing before something is done; says so too when it could not be asked. */
export function StillMissing({ call, record }: { call: string; record?: Values }) {
  const { data = [], error } = useRead<Thing[]>(call, { params: { id: record?.id } })
  if (error) return <Callout intent="warning" compact title="It could not be checked what is still missing" />
  if (data.length === 0) return null
  return (
    <Callout className="form-note" intent="warning" role="status" title="Still missing">
      <ul>
        {data.map(({ id, label }) => (
          <li key={id}>{label}</li>
        ))}
      </ul>
    </Callout>
  )
}
