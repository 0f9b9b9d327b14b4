import { useId } from 'react'

interface Props {
  sections: { id: string; heading: string; label: string; missing: number; onGo?: () => void }[]
}

/** The sections of a record or a form beside it, each with how much of it is missing or wrong. */
export function SectionIndex({ sections }: Props) {
  const title = useId()
  const go = (id: string) => {
    const heading = document.getElementById(id)
    heading?.focus({ preventScroll: true })
    heading?.scrollIntoView?.({ block: 'start' })
  }
  return (
    <nav className="section-index no-print" aria-labelledby={title}>
      <p id={title}>On this page</p>
      <ul>
        {sections.map(({ id, heading, label, missing, onGo }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault()
                onGo?.()
                go(heading)
              }}
            >
              {label}
            </a>
            {missing > 0 && <span className="section-missing">{missing} missing</span>}
          </li>
        ))}
      </ul>
    </nav>
  )
}
