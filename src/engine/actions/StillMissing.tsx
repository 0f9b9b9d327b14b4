import { Callout } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { Action } from '../../contract/types.ts'
import type { Values } from '../../contract/when.ts'
import { useRead } from '../calls.ts'

interface Thing {
  id: string
  label: string
  /** Address where it can be seen to. */
  to?: string | null
}

/** What an action's check lists before it is done; says so too when it could not be asked. */
export function StillMissing({
  action,
  record,
  params,
}: {
  action: Action
  record?: Values
  params?: Values
}) {
  const { check, checked = 'Still missing' } = action
  const { data = [], error } = useRead<Thing[]>(check, { params: { ...params, id: record?.id } })
  if (error)
    return (
      <Callout intent="warning" compact title={`It could not be checked what is ${checked.toLowerCase()}`} />
    )
  if (data.length === 0) return null
  return (
    <Callout className="form-note" intent="warning" role="status" title={checked}>
      <ul>
        {data.map(({ id, label, to }) => (
          <li key={id}>{to ? <Link to={to}>{label}</Link> : label}</li>
        ))}
      </ul>
    </Callout>
  )
}
