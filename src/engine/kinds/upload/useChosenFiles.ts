import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callOf, fillPath } from '../../../contract/call.ts'
import type { UploadScreen } from '../../../contract/generated.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { fileLimit, uploadErrorText } from '../../actions/useUploads.ts'
import { refresh } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { http } from '../../core/http.ts'
import { newIdempotencyKey } from '../../core/idempotencyKey.ts'

/** A selected file; `progress` is the fraction that was sent, from 0 to 1. */
export interface ChosenFile {
  key: string
  file: File
  state: 'chosen' | 'going' | 'done' | 'failed'
  progress: number
  error?: string
  /** The first record of the reply. */
  reply?: Values
}

/** Selected files, uploaded one after the other by `send`; one that failed stays and can be sent again. */
export function useChosenFiles({ upload, accept, values }: UploadScreen, params: Values) {
  const contract = useContract()
  const client = useQueryClient()
  const [files, setFiles] = useState<ChosenFile[]>([])
  const [isSending, setSending] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const isRunning = useRef(false)

  const change = (key: string, changes: Partial<ChosenFile>) =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one)))

  const sendOne = async ({ key, file }: ChosenFile, answers: Values) => {
    const { method, path } = callOf(contract.endpoints[upload])
    const data = new FormData()
    for (const [name, value] of Object.entries({ ...answers, ...values }))
      if (isSet(value)) data.append(name, String(value))
    data.append('file', file)
    change(key, { state: 'going', progress: 0, error: undefined })
    try {
      const reply = await http.request<{ data?: Values[] }>({
        method,
        url: fillPath(path, params),
        data,
        // A retry after a lost reply must not add the file twice.
        headers: { 'Idempotency-Key': key },
        timeout: 0,
        onUploadProgress: ({ progress = 0 }) => change(key, { progress }),
      })
      change(key, { state: 'done', progress: 1, reply: reply.data.data?.[0] })
      setAnnouncement(`${file.name} is uploaded`)
    } catch (error) {
      const text = uploadErrorText(error, fileLimit(contract, upload))
      change(key, { state: 'failed', error: text })
      setAnnouncement(`${file.name}: ${text}`)
    }
  }

  return {
    files,
    announcement,
    isSending,
    add: (added: Iterable<File>) => {
      const entries = [...added].map((file): ChosenFile => {
        const isTaken = accept.some((ending) => file.name.toLowerCase().endsWith(ending))
        const error = isTaken ? undefined : `The file must be one of ${accept.join(', ')}`
        return { key: newIdempotencyKey(), file, state: isTaken ? 'chosen' : 'failed', progress: 0, error }
      })
      setFiles((all) => [...all, ...entries])
      setAnnouncement(entries.map(({ file }) => `${file.name} is chosen`).join(', '))
    },
    drop: (key: string) => setFiles((all) => all.filter((one) => one.key !== key)),
    send: async (answers: Values) => {
      if (isRunning.current) return
      isRunning.current = true
      setSending(true)
      for (const one of files) if (one.state !== 'done') await sendOne(one, answers)
      isRunning.current = false
      setSending(false)
      void refresh(contract, client, upload)
    },
  }
}
