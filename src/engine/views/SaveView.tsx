import { Button, Checkbox, FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type FormEvent, useId, useState } from 'react'
import { knowsMe, ME, resolveFilter } from '../../contract/listFilters.ts'
import { asRelativeDay, relativeWords } from '../../contract/relativeDay.ts'
import { unshareable } from '../../contract/savedView.ts'
import { isSet } from '../../contract/when.ts'
import type { Filter } from '../list/filters.ts'
import { useSend } from '../runtime/calls.ts'
import { fieldErrors } from '../runtime/fieldErrors.ts'
import { notifyUnhandled } from '../runtime/notifyUnhandled.ts'
import { today } from '../runtime/today.ts'
import { type User, useUser } from '../runtime/user.ts'
import type { SavedView, ViewContent } from './savedView.ts'

interface Props {
  /** Name of the list's screen. */
  name: string
  filters: Filter[]
  /** What a new view holds. */
  content: ViewContent
  /** The view that is renamed or shared; omitted: a new one. */
  view?: SavedView
  onSaved: (view: SavedView) => void
  onCancel: () => void
}

/** Asks for the name of a view and who else sees it; of a new one also which of its values go with the day and the person. */
export function SaveView({ name: screen, filters, content, view, onSaved, onCancel }: Props) {
  const id = useId()
  const user = useUser()
  const send = useSend<SavedView>(view ? 'savedViews.update' : 'savedViews.create')
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState<string>(view?.shared ?? '')
  const [relative, setRelative] = useState(() => (view ? {} : relativeValues(filters, content, user)))
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const query = view ? view.query : { ...content.query, ...chosen(relative) }
  const private_ = unshareable(Object.fromEntries(filters.map((one) => [one.name, one])), query)
  const canShare = private_.length === 0
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (send.isPending) return
    const own = { name: name.trim(), shared: (canShare && shared) || null }
    if (own.name === '') return setErrors({ name: ['Name is needed'] })
    try {
      const body = view ? { ...own, version: view.version } : { ...own, screen, ...content, query }
      onSaved(await send.mutateAsync({ params: { id: view?.id }, body }))
    } catch (error) {
      const found = fieldErrors(error)
      if (found) setErrors(found)
      else notifyUnhandled(error)
    }
  }
  const others = Object.entries(errors).flatMap(([field, words]) => (field === 'name' ? [] : words))
  return (
    <form className="views-form" onSubmit={(event) => void submit(event)} noValidate>
      <FormGroup
        label="Name"
        labelFor={`${id}-name`}
        intent={errors.name ? 'danger' : 'none'}
        helperText={errors.name && <span role="alert">{errors.name.join(' ')}</span>}
      >
        <InputGroup
          id={`${id}-name`}
          autoFocus
          maxLength={60}
          autoComplete="off"
          aria-invalid={errors.name ? true : undefined}
          value={name}
          onValueChange={(text) => {
            setName(text)
            setErrors({})
          }}
        />
      </FormGroup>
      {Object.entries(relative).map(([key, value]) => (
        <Checkbox
          key={key}
          label={`${value.title}: ${value.said === ME ? 'whoever opens the view' : `always ${relativeWords(value.said)}`}`}
          checked={value.isOn}
          onChange={({ currentTarget: { checked: isOn } }) =>
            setRelative({ ...relative, [key]: { ...value, isOn } })
          }
        />
      ))}
      <FormGroup
        label="Share with"
        labelFor={`${id}-shared`}
        helperText={
          canShare
            ? undefined
            : `It cannot be shared while it is filtered by ${private_.join(', ')}: that says something of one person.`
        }
      >
        <HTMLSelect
          id={`${id}-shared`}
          disabled={!canShare}
          value={canShare ? shared : ''}
          onChange={(event) => setShared(event.currentTarget.value)}
        >
          <option value="">Nobody</option>
          <option value="team">My team</option>
          {(isSet(user.hub) || view?.shared === 'hub') && <option value="hub">My hub</option>}
        </HTMLSelect>
      </FormGroup>
      {others.length > 0 && (
        <p className="field-error" role="alert">
          {others.join(' ')}
        </p>
      )}
      <div className="views-buttons">
        <Button
          type="submit"
          intent="primary"
          text="Save view"
          loading={send.isPending}
          aria-busy={send.isPending}
        />
        <Button text="Cancel" onClick={onCancel} />
      </div>
    </form>
  )
}

/** A value that can go with the day or the person, or stay what it is now. */
interface RelativeValue {
  title: string
  /** What the view holds if it goes with them: '-7d', 'me'. */
  said: string
  /** What it holds otherwise. */
  fixed: string
  isOn: boolean
}

/** The filters in force that could go with the day or the person. */
function relativeValues(
  filters: Filter[],
  { query }: ViewContent,
  { id }: User,
): Record<string, RelativeValue> {
  const now = today()
  const values = filters.flatMap((filter): [string, RelativeValue][] => {
    const { name, title, type, person } = filter
    const text = query[name]
    if (text === undefined) return []
    const fixed = resolveFilter(filter, text, now, id)
    // A day of birth does not go with the day.
    const isDay = type === 'date' && !person
    const said = isDay ? asRelativeDay(fixed, now) : knowsMe(filter) && fixed === String(id) ? ME : undefined
    return said ? [[name, { title, said, fixed, isOn: said === ME || text === said }]] : []
  })
  return Object.fromEntries(values)
}

function chosen(values: Record<string, RelativeValue>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, { isOn, said, fixed }]) => [name, isOn ? said : fixed]),
  )
}
