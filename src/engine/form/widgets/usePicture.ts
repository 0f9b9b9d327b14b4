import { useQuery } from '@tanstack/react-query'
import { useContract } from '../../core/contract.ts'
import { readFile } from './StoredFile.tsx'

/** A stored picture as a data URL, by the id of its file; no request where files cannot be read. */
export function usePicture(id: number | undefined) {
  const { endpoints } = useContract()
  return useQuery({
    queryKey: ['picture', id],
    queryFn: async () => dataUrlOf(await readFile(endpoints, id!)),
    enabled: id !== undefined && endpoints['files.download'] !== undefined,
    // A file never changes, and each download is audited.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/**
 * Converts a blob to a data URL, because the Content-Security-Policy allows images from data URLs but not from blobs.
 */
function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
