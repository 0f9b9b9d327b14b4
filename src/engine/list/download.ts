import type { Contract } from '../../contract/contract.ts'
import { type CallOptions, requestOf } from '../runtime/calls.ts'
import { http } from '../runtime/http.ts'

/** Browsers read the file some time after the click; then its memory is given back. */
const RELEASE = 40_000
const PATIENCE = 120_000

/** Fetches what a listing call replies as an Excel file and saves it under the name the server gives. */
export function download(contract: Contract, call: string, { params, query }: CallOptions): Promise<void> {
  return downloadFile(contract, call, { params, query: { ...query, format: 'xlsx' } })
}

/** Fetches the file that a call replies and saves it under the name the server gives. */
export async function downloadFile(
  contract: Contract,
  call: string,
  callOptions: CallOptions,
): Promise<void> {
  const reply = await http.request<Blob>({
    ...requestOf(contract, call, callOptions),
    responseType: 'blob',
    timeout: PATIENCE,
  })
  save(reply.data, fileName(String(reply.headers['content-disposition'] ?? '')) ?? `${call}.xlsx`)
}

/** The file name of a Content-Disposition; the encoded form wins, as RFC 6266 wants. */
export function fileName(disposition: string): string | undefined {
  const [, encoded] = disposition.match(/filename\*=UTF-8''([^;]+)/i) ?? []
  if (encoded) return decodeURIComponent(encoded)
  return disposition.match(/filename="?([^";]+)"?/i)?.[1]
}

/** Gives the person a file under a name. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  document.body.append(anchor)
  anchor.click()
  anchor.remove()
  setTimeout(() => URL.revokeObjectURL(url), RELEASE)
}
