import type { ReactNode } from 'react'
import { Heading } from '../page/Heading.tsx'

/** The header of a list: its heading, a sentence about it, and its buttons. */
export function ListHeader({
  title,
  about,
  children,
}: {
  title: string
  about?: string
  children: ReactNode
}) {
  return (
    <div className="list-head">
      <div>
        <Heading>{title}</Heading>
        {about && <p className="list-about">{about}</p>}
      </div>
      <div className="list-tools">{children}</div>
    </div>
  )
}
