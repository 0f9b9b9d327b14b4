import { type ReactNode, useRef } from 'react'
import { fileName, save } from '../list/download.ts'
import { http } from '../runtime/http.ts'

/** Saves a file of the server's: by a call, for a plain link would go without the session's token. */
export function FileLink({ to, name, children }: { to: string; name: string; children: ReactNode }) {
  const going = useRef(false)
  const download = async () => {
    if (going.current) return
    going.current = true
    try {
      const { data, headers } = await http.get<Blob>(to, { responseType: 'blob', timeout: 0 })
      save(data, fileName(String(headers['content-disposition'] ?? '')) ?? name)
    } catch {
      // The HTTP client has told the person.
    } finally {
      going.current = false
    }
  }
  return (
    <button type="button" className="link-button" onClick={() => void download()}>
      <span className="visually-hidden">Download</span> {children}
    </button>
  )
}
