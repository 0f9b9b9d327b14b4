import { useMemo } from 'react'
import type { FormScreen } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { Skeleton } from '../core/Busy.tsx'
import { useContract } from '../core/contract.ts'
import { entityOf } from '../core/entityOf.ts'
import { ReadFailure } from '../core/ReadFailure.tsx'
import { useUser } from '../core/user.ts'
import { useWith } from '../core/useWith.ts'
import { documentOf } from './store/documentOf.ts'
import { resolveSections } from './store/sections.ts'
import { ReadView } from './widgets/ReadView.tsx'

/** A record inside another page, read-only, with the groups of its form screen. */
export function RecordView({ screen, record }: { screen: FormScreen; record: Values }) {
  const contract = useContract()
  const user = useUser()
  const { $id, title } = entityOf(contract, screen.read!)
  const { values, isReady, error, retry } = useWith(screen.with, { record, user })
  const conditionContext = useMemo(() => ({ record, user, with: values }), [record, user, values])
  const sections = useMemo(
    () => resolveSections(contract, screen.groups, $id, conditionContext, 'update'),
    [contract, screen, $id, conditionContext],
  )
  if (error) return <ReadFailure title={`${title} could not be read.`} error={error} onRetry={retry} />
  if (!isReady) return <Skeleton lines={8} />
  return (
    <ReadView
      sections={sections}
      document={documentOf(record)}
      conditionContext={conditionContext}
      level={3}
    />
  )
}
