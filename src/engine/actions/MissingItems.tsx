import { Callout, Classes } from '@blueprintjs/core'
import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import type { Action } from '../../contract/generated.ts'
import type { Missing } from '../../contract/types/entities.ts'
import type { Values } from '../../contract/when.ts'
import { useRead } from '../core/calls.ts'
import { useContract } from '../core/contract.ts'
import { actionParams } from './useAction.ts'

interface Props {
  action: Action
  record?: Values
  params?: Values
  /** Called with false while the list is loading, with true once it has loaded or failed. */
  onChecked?: (isChecked: boolean) => void
}

/** Lists the results of an action's check before it runs, always refetched, or a warning if the check fails. */
export function MissingItems({ action, record, params, onChecked }: Props) {
  const { check, checked = 'Still missing' } = action
  const contract = useContract()
  const options = {
    params: check ? actionParams(contract, check, { action, record, params: params ?? {} }) : {},
  }
  const { data = [], error, isFetching } = useRead<Missing[]>(check, options, { alwaysRefetch: true })
  useEffect(() => onChecked?.(!isFetching), [isFetching, onChecked])
  if (isFetching) return <p role="status">Checking…</p>
  if (error)
    return (
      <Callout intent="warning" compact>
        “{checked}” could not be checked
      </Callout>
    )
  if (data.length === 0) return null
  return (
    <Callout className="form-note" intent="warning" role="status">
      <h3 className={Classes.HEADING}>{checked}</h3>
      <ul>
        {data.map(({ id, label, to }) => (
          <li key={id}>{to ? <Link to={to}>{label}</Link> : label}</li>
        ))}
      </ul>
    </Callout>
  )
}
