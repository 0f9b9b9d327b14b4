import { Button } from '@blueprintjs/core'
import { type ReactElement, useId, useMemo } from 'react'
import type { Field, Group } from '../../contract/generated.ts'
import { outsideWords } from '../../contract/meta/outsideWords.ts'
import { pluralise } from '../../contract/pluralise.ts'
import { quoted, quotedAll } from '../../contract/quoted.ts'
import { missingOutside, referencesOf, withAllReferences } from './references.ts'

interface Props {
  source: Group[]
  into: Group[]
  outside: ReadonlyMap<string, Field>
  chosen: ReadonlySet<string>
  /** `words` describe the change for screen readers. */
  onChange: (chosen: ReadonlySet<string>, words: string) => void
}

/** Lists the fields that chosen fields refer to and that are not copied, with buttons that copy them too. */
export function ChosenReferences({ source, into, outside, chosen, onChange }: Props): ReactElement | null {
  const heading = useId()
  const references = useMemo(() => referencesOf(source, chosen, into), [source, chosen, into])
  const others = useMemo(() => missingOutside(source, chosen, outside), [source, chosen, outside])
  const missing = references.filter(({ here }) => !here)
  if (references.length + others.length === 0) return null
  const takeAll = () => {
    const all = withAllReferences(source, chosen, into)
    onChange(all, `${pluralise(all.size - chosen.size, 'field')} taken along`)
  }
  return (
    <section className="copy-references" aria-labelledby={heading}>
      <div className="constructor-buttons">
        <h3 id={heading}>They refer to</h3>
        {missing.length > 0 && (
          <Button
            size="small"
            icon="plus"
            text={missing.length === 1 ? 'Take it along' : `Take all ${missing.length} along`}
            onClick={takeAll}
          />
        )}
      </div>
      <ul>
        {references.map(({ field, by, here }) => (
          <li key={field.name}>
            <span>
              <strong>{field.label}</strong>{' '}
              <span className="constructor-facts">
                {`for ${quotedAll(by)}; `}
                {here
                  ? `${quoted(here.label, here.name)} of this form stands for it`
                  : 'without it they cannot be published'}
              </span>
            </span>
            <Button
              size="small"
              variant="minimal"
              text="Take along"
              aria-label={`Take along ${field.label}`}
              onClick={() => onChange(new Set([...chosen, field.name]), `${field.label} taken along`)}
            />
          </li>
        ))}
        {others.map(({ path, by }) => (
          <li key={path}>
            <span>
              <strong>{outsideWords(path, undefined)}</strong>{' '}
              <span className="constructor-facts">
                {`for ${quotedAll(by)}; the case form of this case type does not have it: copy it there first`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
