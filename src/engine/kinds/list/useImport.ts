import { useQueryClient } from '@tanstack/react-query'
import { isAxiosError } from 'axios'
import { useRef, useState } from 'react'
import type { Import } from '../../../contract/generated.ts'
import { makeCall, refresh } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { fieldErrors } from '../../core/fieldErrors.ts'
import { notify } from '../../core/notices.ts'

/** Uploads a spreadsheet for a preview, and again to import it. */
export function useImport({ preview, apply }: Import, params: Record<string, unknown>, onDone: () => void) {
  const contract = useContract()
  const client = useQueryClient()
  const [file, setFile] = useState<File>()
  const [plan, setPlan] = useState<Plan>()
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState<'reading' | 'applying'>()
  // The last chosen file wins, whichever response arrives first.
  const latest = useRef<File>(undefined)

  const send = (call: string, sent: File) => {
    const body = new FormData()
    body.append('file', sent)
    return makeCall<Plan>(contract, call, { params, body, showsFields: true })
  }
  const onError = (error: unknown) => {
    const errors = isAxiosError(error)
      ? (error.response?.data?.errors as Plan['errors'] | undefined)
      : undefined
    if (errors) setPlan({ counts: { added: 0, changed: 0, unchanged: 0 }, rows: [], errors })
    else setProblem(messageOf(error))
  }
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return
    latest.current = chosen
    setFile(chosen)
    setPlan(undefined)
    setProblem('')
    setBusy('reading')
    try {
      const found = await send(preview, chosen)
      if (latest.current === chosen) setPlan(found)
    } catch (error) {
      if (latest.current === chosen) onError(error)
    } finally {
      if (latest.current === chosen) setBusy(undefined)
    }
  }
  const doApply = async () => {
    if (!file || busy) return
    setBusy('applying')
    try {
      const { counts } = await send(apply, file)
      void refresh(contract, client, apply)
      notify({ kind: 'success', text: `${counts.added} added, ${counts.changed} changed` })
      onDone()
    } catch (error) {
      onError(error)
    } finally {
      setBusy(undefined)
    }
  }
  return { name: file?.name ?? '', plan, problem, busy, choose: (f?: File) => void choose(f), apply: doApply }
}

function messageOf(error: unknown): string {
  const message = isAxiosError(error) ? error.response?.data?.message : undefined
  return (
    fieldErrors(error)?.file?.[0] ?? (typeof message === 'string' ? message : 'The file could not be read')
  )
}

/** The planned change by a row of the spreadsheet; `row` is its number in Excel. */
interface PlannedRow {
  row: number
  label: string
  state: 'added' | 'changed' | 'unchanged'
  changes: { field: string; label: string; from: string; to: string }[]
}

/** The preview of an import: planned changes, and errors by row and letter of the column. */
export interface Plan {
  counts: Record<PlannedRow['state'], number>
  rows: PlannedRow[]
  errors: { row: number; column: string; message: string }[]
  /** What it would do to other records. */
  effects?: { id: string; label: string }[]
}
