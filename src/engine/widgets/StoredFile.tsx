import { Button } from '@blueprintjs/core'
import { callOf, fillPath } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { save } from '../list/download.ts'
import { useRead } from '../runtime/calls.ts'
import { useContract } from '../runtime/contract.ts'
import { http } from '../runtime/http.ts'

/** A file that is kept, by its name, to download; by its id until its name is known. */
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
      // What went wrong is told by whoever watches over the calls.
      onClick={() => void download().catch(() => undefined)}
    />
  )
}

/** The content of a stored file. */
export async function readFile(endpoints: Contract['endpoints'], id: number): Promise<Blob> {
  const url = fillPath(callOf(endpoints['files.download']).path, { id })
  const { data } = await http.get<Blob>(url, { responseType: 'blob' })
  return data
}
