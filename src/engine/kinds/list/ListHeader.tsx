import type { ReactNode } from 'react'
import { Heading } from '../../core/Heading.tsx'

/** The header of a list: its heading with a count, a sentence about it, and its buttons. */
export function ListHeader({
  title,
  about,
  count,
  children,
}: {
  title: string
  about?: string
  count?: string
  children: ReactNode
}) {
  return (
    <div className="list-head">
      <div>
        <div className="list-title">
          <Heading>{title}</Heading>
          {count && <span className="list-title-count">{count}</span>}
        </div>
        {about && <p className="list-about">{about}</p>}
      </div>
      <div className="list-tools">{children}</div>
    </div>
  )
}
