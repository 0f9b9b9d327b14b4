import { FieldLink } from './FieldLink.tsx'
import { join } from './paths.ts'
import type { FormSection } from './sections.ts'

interface Props {
  /** Names of answers, as the record was judged last. */
  names: string[]
  /** Where the answers stand in the document. */
  at: string
  sections: FormSection[]
  idPrefix: string
}

/** Names the answers of a stored record that are missing or wrong by its form, with links to them. */
export function InvalidAnswers({ names, at, sections, idPrefix }: Props) {
  const fields = sections
    .filter((section) => section.at === at)
    .flatMap(({ groups }) => groups.flatMap((g) => g.fields))
    .filter(({ name }) => names.includes(name))
  if (fields.length === 0) return null
  return (
    <div className="form-note invalid-answers">
      <p>Missing or wrong by the form of today:</p>
      <ul>
        {fields.map(({ name, label }) => (
          <li key={name}>
            <FieldLink id={join(idPrefix, join(at, name))}>{label}</FieldLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
