import { Checkbox, InputGroup } from '@blueprintjs/core'
import { Fragment, useMemo, useState } from 'react'
import { type Day, weekOf } from '../../../contract/week.ts'
import type { Item } from '../../core/lookups.ts'
import { ChoiceHint } from './ChoiceHint.tsx'
import { byHeading, choiceOfItem, hintId, withChoices } from './choices.ts'
import { matches } from './matches.ts'
import { SearchingMultiselect } from './SearchingMultiselect.tsx'
import { controlProps, type FieldWidgetProps, type FollowUp, fieldOf, useGroupBlur } from './widgetProps.ts'

const HALVES = [
  ['am', 'Morning'],
  ['pm', 'Afternoon'],
] as const

/** Maximum number of check boxes without a search. */
const MANY = 15

/** Several choices: check boxes, or a search of a large list. */
export const Multiselect = withChoices(({ props, choices }) => {
  const onFieldBlur = useGroupBlur(props)
  if (!choices.isLarge) return <Checkboxes props={props} items={choices.items} />
  return (
    <>
      <SearchingMultiselect
        control={{ ...controlProps(props), id: `${props.id}-find`, 'aria-required': undefined }}
        label={fieldOf(props.options)!.label}
        choices={choices.items?.map(choiceOfItem)}
        search={choices}
        chosen={choices.chosen.map(choiceOfItem)}
        onChange={(values) =>
          props.onChange(values.length > 0 ? withoutExcluded(values, choices.items) : undefined)
        }
        onLeave={onFieldBlur}
      />
      <FollowUps of={props.followUps} />
    </>
  )
})

function Checkboxes({ props, items }: { props: FieldWidgetProps; items: Item[] | undefined }) {
  const { id, value, rawErrors, followUps = [], onChange } = props
  const onFieldBlur = useGroupBlur(props)
  const [term, setTerm] = useState('')
  const chosen = Array.isArray(value) ? value : []
  const toggle = (item: Item) => {
    const next = chosen.includes(item.value)
      ? chosen.filter((v) => v !== item.value)
      : [...chosen, item.value]
    onChange(next.length > 0 ? withoutExcluded(next, items) : undefined)
  }
  const week = useMemo(() => items && weekOf(items), [items])
  const listed = week?.others ?? items ?? []
  const found = listed.filter((i) => matches(i.label, term))
  const names = (items ?? []).filter((i) => chosen.includes(i.value)).map((i) => i.label)
  const isLong = listed.length > MANY
  // A choice of a long list may be scrolled or filtered out of sight, and its follow-ups with it.
  const isBelow = ({ choice }: FollowUp) => !isLong && listed.some((i) => i.value === choice)
  return (
    <div className="choices" aria-busy={items ? undefined : true}>
      {isLong && (
        <>
          <InputGroup
            leftIcon="search"
            type="search"
            value={term}
            onValueChange={setTerm}
            onBlur={onFieldBlur}
            placeholder="Find a choice"
            aria-label={`Find a choice of ${fieldOf(props.options)!.label}`}
          />
          <p className="choices-chosen" aria-live="polite">
            {names.length === 0 ? 'Nothing chosen' : `${names.length} chosen: ${names.join(', ')}`}
          </p>
        </>
      )}
      <div className={isLong ? 'choices-list choices-long' : 'choices-list'}>
        {byHeading(found).map(([heading, under]) => (
          <div key={heading}>
            {heading && <div className="choices-heading">{heading}</div>}
            {under.map((item) => (
              <Fragment key={item.value}>
                <Checkbox
                  id={`${id}-${item.value}`}
                  label={item.label}
                  checked={chosen.includes(item.value)}
                  aria-invalid={rawErrors?.length ? true : undefined}
                  aria-describedby={hintId(id, item)}
                  onChange={() => toggle(item)}
                  onBlur={onFieldBlur}
                />
                <ChoiceHint {...{ id, item }} />
                <FollowUps of={followUps.filter((one) => isBelow(one) && one.choice === item.value)} />
              </Fragment>
            ))}
          </div>
        ))}
        {items && found.length === 0 && <p>Nothing matches “{term}”</p>}
      </div>
      {week && (
        <WeekGrid
          {...{ id, chosen }}
          days={week.days}
          isWrong={Boolean(rawErrors?.length)}
          onToggle={toggle}
          onBlur={onFieldBlur}
        />
      )}
      <FollowUps of={followUps.filter((one) => !isBelow(one))} />
    </div>
  )
}

function FollowUps({ of = [] }: { of: FollowUp[] | undefined }) {
  return of.length > 0 && <div className="follow-ups">{of.map(({ content }) => content)}</div>
}

/** The values, the latest last, without those that it excludes or that exclude it. */
function withoutExcluded<V>(values: V[], items: Item[] | undefined): V[] {
  const isExclusive = (value: V) => items?.some((i) => i.value === value && i.exclusive)
  const latest = values.at(-1)!
  return isExclusive(latest) ? [latest] : values.filter((value) => !isExclusive(value))
}

interface Props {
  days: Day<Item>[]
  /** Id of the field, the prefix of its controls' ids. */
  id: string
  chosen: unknown[]
  isWrong: boolean
  onToggle: (item: Item) => void
  onBlur: (event: React.FocusEvent) => void
}

/** Half days to choose from, as a table of days and halves. */
function WeekGrid({ days, id, chosen, isWrong, onToggle, onBlur }: Props) {
  return (
    <table className="week">
      <thead>
        <tr>
          <td />
          {days.map(({ name }) => (
            <th key={name} scope="col">
              <abbr title={name}>{name.slice(0, 3)}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {HALVES.map(([half, label]) => (
          <tr key={half}>
            <th scope="row">{label}</th>
            {days.map((day) => (
              <td key={day.name}>
                <Checkbox
                  id={`${id}-${day[half].value}`}
                  aria-label={day[half].label}
                  checked={chosen.includes(day[half].value)}
                  aria-invalid={isWrong || undefined}
                  onChange={() => onToggle(day[half])}
                  onBlur={onBlur}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
