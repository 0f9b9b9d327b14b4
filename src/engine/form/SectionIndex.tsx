import { useId } from 'react'

/** Numbers of missing and of invalid answers of a section, and of questions that were not asked yet. */
interface Open {
  missing: number
  wrong?: number
  notAsked?: number
}

interface Props {
  sections: { id: string; heading: string; label: string; open: Open; onGo?: () => void }[]
}

/** Links to the sections of a record or a form, with their numbers of missing and invalid answers. */
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
        {sections.map(({ id, heading, label, open, onGo }) => (
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
            {inWords(open) && <span className="section-missing">{inWords(open)}</span>}
            {open.notAsked ? <span className="section-open">{open.notAsked} not asked</span> : null}
          </li>
        ))}
      </ul>
    </nav>
  )
}

function inWords({ missing, wrong = 0 }: Open): string {
  return [missing > 0 && `${missing} missing`, wrong > 0 && `${wrong} wrong`].filter(Boolean).join(', ')
}
