import { useQueryClient } from '@tanstack/react-query'
import { isAxiosError, isCancel } from 'axios'
import { useEffect, useRef, useState } from 'react'
import { callOf, fillPath } from '../../contract/call.ts'
import type { Values } from '../../contract/when.ts'
import { refresh } from '../runtime/calls.ts'
import { useContract } from '../runtime/contract.ts'
import { fieldErrors } from '../runtime/fieldErrors.ts'
import { http } from '../runtime/http.ts'
import { newIdempotencyKey } from '../runtime/idempotencyKey.ts'

/** A file on its way; `part` is how much of it was sent, from 0 to 1. */
export interface Sending {
  key: string
  file: File
  state: 'waiting' | 'going' | 'done' | 'failed'
  progress: number
  error?: string
}

/** More at once would only make each slower. */
const MAX_PARALLEL = 2
const TOO_LARGE = 'Uploaded file is too large'
const CONNECTION_LOST =
  'The upload was cut off. No part of it is kept, and trying again will not add it twice.'

/** Sends files by a call that takes one, a few at a time; the lists it touches are read anew after each. */
export function useUploads(call: string, params: Values, onDone?: (reply: unknown) => void) {
  const contract = useContract()
  const client = useQueryClient()
  const [files, setFiles] = useState<Sending[]>([])
  const [announcement, setAnnouncement] = useState('')
  const cancels = useRef(new Map<string, AbortController>())

  const change = (key: string, changes: Partial<Sending>) =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one)))

  const send = async ({ key, file }: Sending) => {
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
        // The same file again after a lost reply must count once.
        headers: { 'Idempotency-Key': key },
        timeout: 0,
        signal: controller.signal,
        onUploadProgress: ({ progress = 0 }) => change(key, { progress }),
      })
      change(key, { state: 'done', progress: 1 })
      setAnnouncement(`${file.name} is uploaded`)
      onDone?.(reply)
    } catch (error) {
      if (isCancel(error)) return
      const words = uploadErrorText(error)
      change(key, { state: 'failed', error: words })
      setAnnouncement(`${file.name}: ${words}`)
    } finally {
      cancels.current.delete(key)
      void refresh(contract, client, call)
    }
  }

  const uploading = files.filter(({ state }) => state === 'going').length
  useEffect(() => {
    const next = files.find(({ state }) => state === 'waiting')
    if (!next || uploading >= MAX_PARALLEL) return
    change(next.key, { state: 'going', progress: 0, error: undefined })
    void send(next)
  })
  useUnloadWarning(uploading > 0)

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
    /** Takes a file off the list, and gives it up where it is on its way. */
    drop: ({ key, file, state }: Sending) => {
      cancels.current.get(key)?.abort()
      setFiles((all) => all.filter((one) => one.key !== key))
      setAnnouncement(state === 'failed' || state === 'done' ? '' : `${file.name} is cancelled`)
    },
  }
}

/** Why an upload failed, in words for people. */
export function uploadErrorText(error: unknown): string {
  if (!isAxiosError(error) || !error.response) return CONNECTION_LOST
  if (error.response.status === 413) return TOO_LARGE
  const message = fieldErrors(error)?.file?.[0] ?? error.response.data?.message
  return typeof message === 'string' ? message : 'The file could not be uploaded'
}

/** The browser asks before a page is closed that is still sending. */
function useUnloadWarning(isGoing: boolean): void {
  useEffect(() => {
    if (!isGoing) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isGoing])
}
