import { useQuery } from '@tanstack/react-query'
import { useContract } from '../runtime/contract.ts'
import { readFile } from './StoredFile.tsx'

/** A stored picture as a data URL, by the id of its file; nothing where files cannot be read. */
export function usePicture(id: number | undefined) {
  const { endpoints } = useContract()
  return useQuery({
    queryKey: ['picture', id],
    queryFn: async () => dataUrlOf(await readFile(endpoints, id!)),
    enabled: id !== undefined && endpoints['files.download'] !== undefined,
    // A file is never changed, and every reading of it is audited.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The page may show pictures of its own address and those that an address holds, not blobs. */
function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
