import { Button, Checkbox, InputGroup } from '@blueprintjs/core'
import { type ReactElement, useDeferredValue, useMemo, useState } from 'react'
import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { Field, Group } from '../../contract/generated.ts'
import { pluralise } from '../../contract/pluralise.ts'
import { ScrollRegion } from '../../engine/core/ScrollRegion.tsx'
import { matches } from '../../engine/form/widgets/matches.ts'

interface Props {
  groups: Group[]
  /** Names of the ticked fields. */
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

/** The fields of a form to tick, one by one or by group; groups are folded until they are opened or searched. */
export function FieldChoices({ groups, chosen, onChange }: Props): ReactElement {
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState<string[]>([])
  const sought = useDeferredValue(typed).trim()
  const found = useMemo(() => foundGroups(groups, sought), [groups, sought])
  const count = found.reduce((sum, { fields }) => sum + fields.length, 0)
  const tick = (fields: Field[], isTicked: boolean) => {
    const next = new Set(chosen)
    for (const { name } of fields) {
      if (isTicked) next.add(name)
      else next.delete(name)
    }
    onChange(next)
  }
  return (
    <>
      <InputGroup
        type="search"
        leftIcon="search"
        aria-label="Find a field to copy"
        placeholder="Find a field to copy"
        autoComplete="off"
        value={typed}
        onValueChange={setTyped}
      />
      <p role="status" className="constructor-hint">
        {sought && (count === 0 ? 'Nothing matches' : `${pluralise(count, 'field')} found`)}
      </p>
      <ScrollRegion label="Fields to copy" className="copy-fields">
        {found.length === 0 && !sought && <p>This form has no fields.</p>}
        {found.map((group) => {
          const { name, label, fields } = group
          const ticked = fields.filter((field) => chosen.has(field.name)).length
          const isOpen = sought !== '' || opened.includes(name)
          return (
            <fieldset key={name} aria-label={label}>
              <div className="copy-group">
                <Button
                  size="small"
                  variant="minimal"
                  icon={isOpen ? 'chevron-down' : 'chevron-right'}
                  aria-label={`Fields of ${label}`}
                  aria-expanded={isOpen}
                  onClick={() => setOpened(isOpen ? opened.filter((one) => one !== name) : [...opened, name])}
                />
                <Checkbox
                  checked={ticked === fields.length}
                  indeterminate={ticked > 0 && ticked < fields.length}
                  onChange={() => tick(fields, ticked < fields.length)}
                >
                  {label}{' '}
                  <span className="constructor-facts">
                    {ticked > 0
                      ? `${ticked} of ${pluralise(fields.length, 'field')}`
                      : pluralise(fields.length, 'field')}
                  </span>
                </Checkbox>
              </div>
              {isOpen && (
                <ul>
                  {fields.map((field) => (
                    <li key={field.name}>
                      <Checkbox
                        checked={chosen.has(field.name)}
                        onChange={(event) => tick([field], event.currentTarget.checked)}
                      >
                        {field.label}{' '}
                        <span className="constructor-facts">{FIELD_TYPES[field.type].title}</span>
                      </Checkbox>
                    </li>
                  ))}
                </ul>
              )}
            </fieldset>
          )
        })}
      </ScrollRegion>
    </>
  )
}

/** The groups with the fields that match; all fields of a group whose label matches. */
function foundGroups(groups: Group[], sought: string): Group[] {
  const isFound = ({ label, name }: Group | Field) => matches(`${label} ${name.replaceAll('_', ' ')}`, sought)
  return groups
    .map((group) =>
      sought === '' || isFound(group) ? group : { ...group, fields: group.fields.filter(isFound) },
    )
    .filter(({ fields }) => fields.length > 0)
}
