import { useQueryClient } from '@tanstack/react-query'
import { isAxiosError, isCancel } from 'axios'
import { useEffect, useRef, useState } from 'react'
import { callOf, fillPath } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { MAX_FILE_BYTES } from '../../contract/limits.ts'
import type { Values } from '../../contract/when.ts'
import { refresh } from '../core/calls.ts'
import { useContract } from '../core/contract.ts'
import { fieldErrors } from '../core/fieldErrors.ts'
import { http } from '../core/http.ts'
import { newIdempotencyKey } from '../core/idempotencyKey.ts'

/** An upload of a file; `progress` is the fraction that was sent, from 0 to 1. */
export interface FileUpload {
  key: string
  file: File
  state: 'waiting' | 'uploading' | 'done' | 'failed'
  progress: number
  error?: string
  reply?: unknown
}

/** More at once would only make each slower. */
const MAX_PARALLEL = 2
const TOO_LARGE = 'Uploaded file is too large'
const CONNECTION_LOST =
  'The upload was cut off. No part of it is kept, and trying again will not add it twice.'

/** Uploads files by a call that takes one, MAX_PARALLEL at a time; lists that it touches are refetched after each. */
export function useUploads(call: string, params: Values) {
  const contract = useContract()
  const client = useQueryClient()
  const [files, setFiles] = useState<FileUpload[]>([])
  const [announcement, setAnnouncement] = useState('')
  const cancels = useRef(new Map<string, AbortController>())

  const change = (key: string, changes: Partial<FileUpload>) =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one)))

  const send = async ({ key, file }: FileUpload) => {
    const { method, path } = callOf(contract.endpoints[call])
    const data = new FormData()
    data.append('file', file)
    const controller = new AbortController()
    cancels.current.set(key, controller)
    try {
      const { data: reply } = await http.request<unknown>({
        method,
        url: fillPath(path, params),
        data,
        // A retry after a lost reply must not add the file twice.
        headers: { 'Idempotency-Key': key },
        timeout: 0,
        signal: controller.signal,
        onUploadProgress: ({ progress = 0 }) => change(key, { progress }),
      })
      change(key, { state: 'done', progress: 1, reply })
      setAnnouncement(`${file.name} is uploaded`)
    } catch (error) {
      if (isCancel(error)) return
      const words = uploadErrorText(error, fileLimit(contract, call))
      change(key, { state: 'failed', error: words })
      setAnnouncement(`${file.name}: ${words}`)
    } finally {
      cancels.current.delete(key)
      void refresh(contract, client, call)
    }
  }

  const uploading = files.filter(({ state }) => state === 'uploading').length
  useEffect(() => {
    const next = files.find(({ state }) => state === 'waiting')
    if (!next || uploading >= MAX_PARALLEL) return
    change(next.key, { state: 'uploading', progress: 0, error: undefined })
    void send(next)
  })

  return {
    files,
    announcement,
    add: (added: Iterable<File>) => {
      const entries = [...added].map((file) => ({
        key: newIdempotencyKey(),
        file,
        state: 'waiting' as const,
        progress: 0,
      }))
      setFiles((all) => [...all.filter(({ state }) => state !== 'done'), ...entries])
    },
    retry: (key: string) => change(key, { state: 'waiting' }),
    /** Removes a file from the list, and aborts its upload. */
    remove: ({ key, file, state }: FileUpload) => {
      cancels.current.get(key)?.abort()
      setFiles((all) => all.filter((one) => one.key !== key))
      setAnnouncement(state === 'failed' || state === 'done' ? '' : `${file.name} is cancelled`)
    },
    abort: () => {
      for (const controller of cancels.current.values()) controller.abort()
    },
  }
}

/** The maximum size of the files of a call in words ('10 MB'). */
export function fileLimit({ endpoints }: Contract, call: string): string {
  return `${Math.floor((endpoints[call].bodyLimit ?? MAX_FILE_BYTES) / 1024 ** 2)} MB`
}

export function uploadErrorText(error: unknown, limit: string): string {
  if (!isAxiosError(error) || !error.response) return CONNECTION_LOST
  if (error.response.status === 413) return `${TOO_LARGE}: it must be ${limit} or smaller`
  const message = fieldErrors(error)?.file?.[0] ?? error.response.data?.message
  return typeof message === 'string' ? message : 'The file could not be uploaded'
}
