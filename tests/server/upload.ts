import type { Caller, Reply } from './context.ts'

/** Sends one file as a multipart body to a path, as a page would. */
export function upload(caller: Caller, path: string, name: string, content: BlobPart): Promise<Reply> {
  const body = new FormData()
  body.append('file', new Blob([content]), name)
  return caller.raw(path, { method: 'POST', body })
}

export const PDF = '%PDF-1.7 a letter'
