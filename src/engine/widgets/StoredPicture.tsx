import { useQuery } from '@tanstack/react-query'
import { useContract } from '../runtime/contract.ts'
import { readFile } from './StoredFile.tsx'

/** A stored picture inside the page, by the id of its file; `label` says what it shows. */
export default function StoredPicture({ id, label }: { id: number; label: string }) {
  const { endpoints } = useContract()
  const { data, isError } = useQuery({
    queryKey: ['picture', id],
    queryFn: async () => dataUrlOf(await readFile(endpoints, id)),
    enabled: endpoints['files.download'] !== undefined,
    // A file is never changed, and every reading of it is audited.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isError) return <span className="read-none">The picture cannot be shown</span>
  return <span className="picture">{data && <img src={data} alt={label} />}</span>
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
