import type { ReactNode } from 'react'
import type { FormScreen, MadeFrom } from '../../../contract/generated.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { Skeleton } from '../../core/Busy.tsx'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { ReadFailure } from '../../core/ReadFailure.tsx'
import { ScrollRegion } from '../../core/ScrollRegion.tsx'
import { RecordView } from '../../form/RecordView.tsx'

interface Props {
  madeFrom: MadeFrom | undefined
  id: unknown
  /** The form. */
  children: ReactNode
}

/** A form with the record beside it that it is made from, if there is one. */
export function WithSource({ madeFrom, id, children }: Props) {
  const { screens } = useContract()
  const screen = madeFrom && screens[madeFrom.screen]
  if (screen?.kind !== 'form' || !isSet(id)) return children
  return (
    <div className="with-source">
      <div>{children}</div>
      <SourceRecord screen={screen} id={id} />
    </div>
  )
}

function SourceRecord({ screen, id }: { screen: FormScreen; id: unknown }) {
  const contract = useContract()
  const { data: record, error, refetch } = useRead<Values>(screen.read, { params: { id } })
  const name = `${entityOf(contract, screen.read!).title} ${id}`
  return (
    <ScrollRegion className="source-record" label={name}>
      <h2>{name}</h2>
      {error && (
        <ReadFailure title={`${name} could not be read.`} error={error} onRetry={() => void refetch()} />
      )}
      {!error && !record && <Skeleton lines={8} />}
      {record && <RecordView screen={screen} record={record} />}
    </ScrollRegion>
  )
}
