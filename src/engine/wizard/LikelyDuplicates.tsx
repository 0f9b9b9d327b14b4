import { Button, Callout, Classes } from '@blueprintjs/core'
import { parametersOf } from '../../contract/call.ts'
import type { Existing } from '../../contract/generated.ts'
import { isSet, type Values } from '../../contract/when.ts'
import { useRead } from '../runtime/calls.ts'
import { useContract } from '../runtime/contract.ts'
import { entityOf } from '../runtime/entityOf.ts'
import { describeRecord } from './ExistingSearch.tsx'

interface Props {
  existing: Existing
  values: Values
  onChoose: (id: number) => void
}

/** Warns of records that are likely the one being entered; asked once all texts that the search takes are there. */
export function LikelyDuplicates({ existing, values, onChoose }: Props) {
  const contract = useContract()
  const { likely, label } = existing
  const parameters = Object.entries(parametersOf(contract, contract.endpoints[likely ?? '']))
  const query = Object.fromEntries(parameters.map(([key]) => [key, values[key]]).filter(([, v]) => isSet(v)))
  const isEnough = parameters.every(([key, { type }]) => type !== 'string' || key in query)
  const { data: duplicates = [] } = useRead<Values[]>(isEnough ? likely : undefined, { query })
  if (!likely || duplicates.length === 0) return null
  const entity = entityOf(contract, likely)
  return (
    <div role="status">
      <Callout intent="warning" className="likely">
        <h2 className={Classes.HEADING}>This {label} may be known already</h2>
        <ul>
          {duplicates.map((item) => {
            const { name, details } = describeRecord(entity, item)
            return (
              <li key={String(item.id)}>
                <span>
                  {name} <span className="existing-details">{details}</span>
                </span>
                {item.visible !== false && (
                  <Button
                    size="small"
                    text={`Use this ${label}`}
                    aria-label={`Use this ${label}: ${name}, ${details}`}
                    onClick={() => onChoose(Number(item.id))}
                  />
                )}
              </li>
            )
          })}
        </ul>
      </Callout>
    </div>
  )
}
