import { Button } from '@blueprintjs/core'
import { callOf, fillPath } from '../../../contract/call.ts'
import type { Contract } from '../../../contract/contract.ts'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { save } from '../../core/download.ts'
import { http } from '../../core/http.ts'

/** A stored file by its name, to download; by its id until the name is loaded. */
export function StoredFile({ id }: { id: number }) {
  const { endpoints } = useContract()
  const { data } = useRead<{ name: string }>(endpoints['files.read'] && 'files.read', { params: { id } })
  const name = data?.name ?? `File ${id}`
  if (!endpoints['files.download']) return name
  const download = async () => {
    save(await readFile(endpoints, id), name)
  }
  return (
    <Button
      variant="minimal"
      size="small"
      icon="download"
      text={name}
      aria-label={`Download ${name}`}
      // The HTTP interceptor shows an error.
      onClick={() => void download().catch(() => undefined)}
    />
  )
}

export async function readFile(endpoints: Contract['endpoints'], id: number): Promise<Blob> {
  const url = fillPath(callOf(endpoints['files.download']).path, { id })
  const { data } = await http.get<Blob>(url, { responseType: 'blob' })
  return data
}
