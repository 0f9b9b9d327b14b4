import { Button, Callout } from '@blueprintjs/core'
import { type ReactNode, useEffect } from 'react'
import { parametersOf } from '../../../contract/call.ts'
import type { Existing } from '../../../contract/generated.ts'
import { isPlainObject, isSet, type Values } from '../../../contract/when.ts'
import { FirstMark } from '../../cells/MarksCell.tsx'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { ReadFailure } from '../../core/ReadFailure.tsx'
import { describeRecord } from './ExistingSearch.tsx'

interface Props {
  existing: Existing
  values: Values
  onChoose: (id: number) => void
}

interface WithDuplicatesProps extends Omit<Props, 'existing' | 'values'> {
  /** undefined: the step is about no existing record. */
  existing: Existing | undefined
  /** Entered values of a new record, or the id of an existing one. */
  value: unknown
  children: ReactNode
}

/** The fields of a new record with its likely duplicates: beside them if there is room, otherwise above the bar. */
export function WithDuplicates({ existing, value, onChoose, children }: WithDuplicatesProps) {
  return (
    <div className="existing-page">
      <div className="existing-columns">
        {children}
        {existing && isPlainObject(value) && <LikelyDuplicates {...{ existing, onChoose }} values={value} />}
      </div>
    </div>
  )
}

/** Warns of likely duplicates of the record being entered; searched once all text parameters of the search are set. */
function LikelyDuplicates({ existing, values, onChoose }: Props) {
  const contract = useContract()
  const { likely, label } = existing
  const parameters = Object.entries(parametersOf(contract, contract.endpoints[likely ?? '']))
  const query = Object.fromEntries(parameters.map(([key]) => [key, values[key]]).filter(([, v]) => isSet(v)))
  const isEnough = parameters.every(([key, { type }]) => type !== 'string' || key in query)
  const read = useRead<Values[]>(isEnough ? likely : undefined, { query })
  const duplicates = read.data ?? []
  const entity = entityOf(contract, likely ?? existing.search)
  const isKnown = duplicates.length > 0
  useEffect(() => {
    if (isKnown) document.activeElement?.scrollIntoView?.({ block: 'nearest' })
  }, [isKnown])
  return (
    <div className="likely" role="status">
      {!read.data && read.error && (
        <Callout intent="warning">
          <ReadFailure
            title={`It could not be checked whether this ${label} is known already.`}
            error={read.error}
            onRetry={() => void read.refetch()}
          />
        </Callout>
      )}
      {isKnown && (
        <Callout intent="warning">
          <h2>This {label} may be known already</h2>
          <ul>
            {duplicates.map((item) => {
              const { name, details } = describeRecord(entity, item)
              return (
                <li key={String(item.id)}>
                  <span>
                    {name} <span className="existing-details">{details}</span>
                    <FirstMark value={item[existing.marks ?? '']} />
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
      )}
    </div>
  )
}
