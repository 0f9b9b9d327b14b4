import { type ReactElement, useMemo } from 'react'
import { isSingleValue, takesSeveralChoices } from '../../contract/fieldTypes.ts'
import type { Field, FormTestWith, Group } from '../../contract/generated.ts'
import { sourceOfPath } from '../../contract/seen.ts'
import { seenPathsOf } from '../../contract/seenPaths.ts'
import { type Values as Answers, isSet, type Literal } from '../../contract/when.ts'
import { Values } from '../conditions/Values.tsx'

interface Props {
  groups: Group[]
  /** The fields outside of the form, by path. */
  outside: Map<string, Field>
  facts: FormTestWith
  onChange: (facts: FormTestWith) => void
}

/** What the client, the case and the last record are taken to have while the form is tried; nothing if it looks at none. */
export function OutsideValues({ groups, outside, facts, onChange }: Props): ReactElement | null {
  const fields = useMemo(
    () => seenPathsOf(groups).flatMap((path) => outside.get(path) ?? []),
    [groups, outside],
  )
  if (fields.length === 0) return null
  const set = (path: string, value: unknown) => {
    const [, name] = path.split('.')
    const source = sourceOfPath(path)!
    const { [name]: _, ...others } = facts[source] ?? {}
    onChange({ ...facts, [source]: isSet(value) ? { ...others, [name]: value } : others })
  }
  return (
    <details className="constructor-outside">
      <summary>From outside of this form</summary>
      {fields.filter(isSingleOrChoice).map((field) => {
        const isMany = takesSeveralChoices(field)
        const value = givenAt(field.name, facts)
        return (
          <Values
            key={field.name}
            field={field}
            label={field.label}
            none="Not answered"
            many={isMany}
            values={isSet(value) ? ([value].flat() as Literal[]) : NONE}
            onChange={(next) => set(field.name, isMany ? next : next[0])}
          />
        )
      })}
    </details>
  )
}

const NONE: Literal[] = []

function isSingleOrChoice(field: Field): boolean {
  return isSingleValue(field) || takesSeveralChoices(field)
}

function givenAt(path: string, facts: FormTestWith): unknown {
  const [, name] = path.split('.')
  return (facts[sourceOfPath(path)!] as Answers | undefined)?.[name]
}
