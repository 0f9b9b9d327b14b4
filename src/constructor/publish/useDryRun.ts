import { useCallback, useEffect, useRef, useState } from 'react'
import type { DryRun } from '../../contract/answerMigration/dryRun.ts'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import type { Draft } from '../state/caseType.ts'

/** Tries a draft that takes answers along, now and whenever its forms change; `retry` tries it again. */
export function useDryRun(id: number, { case_meta, issue_meta }: Draft, isNeeded: boolean) {
  const contract = useContract()
  const [run, setRun] = useState<DryRun>()
  const [failed, setFailed] = useState(false)
  const last = useRef(0)
  const tryOut = useCallback(() => {
    const number = ++last.current
    const isLast = () => number === last.current
    setFailed(false)
    makeCall<DryRun>(contract, 'caseTypes.tryMigration', { params: { id }, body: { case_meta, issue_meta } })
      .then((result) => isLast() && setRun(result))
      .catch(() => isLast() && setFailed(true))
  }, [contract, id, case_meta, issue_meta])
  useEffect(() => {
    if (isNeeded) tryOut()
  }, [isNeeded, tryOut])
  return { run, failed, retry: tryOut }
}
