import { usePicture } from './usePicture.ts'

/** A stored picture in the page, by the id of its file; `label` is its alternative text. */
export default function StoredPicture({ id, label }: { id: number; label: string }) {
  const { data, isError } = usePicture(id)
  if (isError) return <span className="read-none">The picture cannot be shown</span>
  return <span className="picture">{data && <img src={data} alt={label} />}</span>
}
