import { Button, Checkbox, FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type FormEvent, useId, useState } from 'react'
import { allows } from '../../../contract/access.ts'
import { acceptsMe, ME, resolveFilter } from '../../../contract/listFilters.ts'
import { asRelativeDay, relativeWords } from '../../../contract/relativeDay.ts'
import { SHARE_WITH_ALL, unshareable } from '../../../contract/savedView.ts'
import { isSet } from '../../../contract/when.ts'
import { useSend } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { fieldErrors } from '../../core/fieldErrors.ts'
import { notifyUnhandled } from '../../core/notifyUnhandled.ts'
import { today } from '../../core/today.ts'
import { type User, useUser } from '../../core/user.ts'
import type { Filter } from '../list/state/filters.ts'
import type { SavedView, ViewContent } from './savedView.ts'

interface Props {
  /** Name of the list's screen. */
  name: string
  filters: Filter[]
  content: ViewContent
  /** The view to rename or share; omitted: a new one. */
  view?: SavedView
  onSaved: (view: SavedView) => void
  onCancel: () => void
}

/** A form for the name and the sharing of a view; for a new one also for values relative to the day and the user. */
export function SaveView({ name: screen, filters, content, view, onSaved, onCancel }: Props) {
  const id = useId()
  const user = useUser()
  const { roles } = useContract()
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
    if (own.name === '') return setErrors({ name: ['Enter a name'] })
    try {
      const body = view ? { ...own, version: view.version } : { ...own, screen, ...content, query }
      onSaved(await send.mutateAsync({ params: { id: view?.id }, body, showsFields: true }))
    } catch (error) {
      const validationErrors = fieldErrors(error)
      if (validationErrors) setErrors(validationErrors)
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
          label={`${value.title}: ${value.relative === ME ? 'the person who opens the view' : `always ${relativeWords(value.relative)}`}`}
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
            ? RECIPIENTS[shared]
            : `It cannot be shared while it is filtered by ${private_.join(', ')}: that says something about one person.`
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
          {(allows(roles, SHARE_WITH_ALL, user.groups) || view?.shared === 'all') && (
            <option value="all">Everybody</option>
          )}
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

/** Who gets a view, by what it is shared with. */
const RECIPIENTS: Record<string, string | undefined> = {
  team: 'The people you manage, those who share your manager, and your managers.',
  hub: 'Everybody in your hub.',
  all: 'Everybody who may open this list.',
}

/** A filter value that can be relative to the day or the user, or fixed. */
interface RelativeValue {
  title: string
  /** The relative value: '-7d', 'me'. */
  relative: string
  /** The value as it is now. */
  fixed: string
  isOn: boolean
}

/** The applied filters whose values can be relative to the day or the user. */
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
    // A date of birth is not relative to the day.
    const isDay = type === 'date' && !person
    const relative = isDay
      ? asRelativeDay(fixed, now)
      : acceptsMe(filter) && fixed === String(id)
        ? ME
        : undefined
    return relative ? [[name, { title, relative, fixed, isOn: relative === ME || text === relative }]] : []
  })
  return Object.fromEntries(values)
}

function chosen(values: Record<string, RelativeValue>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, { isOn, relative, fixed }]) => [name, isOn ? relative : fixed]),
  )
}
