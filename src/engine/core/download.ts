import type { Contract } from '../../contract/contract.ts'
import { type CallOptions, requestOf } from './calls.ts'
import { http } from './http.ts'

/** Delay in ms before the object URL is revoked, because browsers read the file some time after the click. */
const REVOKE_DELAY_MS = 40_000
const TIMEOUT_MS = 120_000

/** Fetches the rows of a list call as an Excel file and saves it under the name from the server. */
export function download(contract: Contract, call: string, { params, query }: CallOptions): Promise<void> {
  return downloadFile(contract, call, { params, query: { ...query, format: 'xlsx' } })
}

/** Fetches the file that a call returns and saves it under the name from the server. */
export async function downloadFile(
  contract: Contract,
  call: string,
  callOptions: CallOptions,
): Promise<void> {
  const reply = await http.request<Blob>({
    ...requestOf(contract, call, callOptions),
    responseType: 'blob',
    timeout: TIMEOUT_MS,
  })
  save(reply.data, fileName(String(reply.headers['content-disposition'] ?? '')) ?? `${call}.xlsx`)
}

/** The file name of a Content-Disposition header; the encoded form takes precedence, as RFC 6266 requires. */
export function fileName(disposition: string): string | undefined {
  const [, encoded] = disposition.match(/filename\*=UTF-8''([^;]+)/i) ?? []
  try {
    if (encoded) return decodeURIComponent(encoded)
  } catch {
    // Badly encoded: use the plain form.
  }
  return disposition.match(/filename="?([^";]+)"?/i)?.[1]
}

export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  document.body.append(anchor)
  anchor.click()
  anchor.remove()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_DELAY_MS)
}
