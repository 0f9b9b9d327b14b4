import { Icon } from '@blueprintjs/core'
import { type FocusEvent, useMemo, useRef, useState } from 'react'
import { findMatches, matches } from './matches.ts'
import Typeahead, { type Choice, LISTED } from './Typeahead.tsx'
import type { controlProps } from './widgetProps.ts'

interface Props {
  control: Partial<ReturnType<typeof controlProps>> & { id: string }
  /** Accessible name of the list of choices. */
  label: string
  /** undefined while loading. */
  choices: Choice[] | undefined
  chosen: Choice | undefined
  /** True while the server searches for the typed text. */
  isSearching?: boolean
  /** True if there are other choices, which are found by typing. */
  isMore?: boolean
  /** What the empty box says; omitted: 'Choose…'. */
  placeholder?: string
  autoFocus?: boolean
  onType?: (text: string) => void
  onChoose: (choice: Choice | undefined) => void
  onBlur?: (event: FocusEvent) => void
}

/** A combobox for one choice, found by typing a part of its name. Typed text is no value until a choice is selected. */
export default function Combobox(props: Props) {
  const { control, label, choices, chosen, isSearching, placeholder = 'Choose…', onType } = props
  const { onChoose, onBlur } = props
  const [typed, setTyped] = useState<string>()
  const before = useRef<Choice>(undefined)
  const matching = useMemo(() => findMatches(choices ?? [], typed ?? '', LISTED), [choices, typed])

  const onInput = (text: string) => {
    if (typed === undefined) before.current = chosen
    setTyped(text)
    onChoose(undefined)
    onType?.(text.trim())
  }
  const choose = (choice: Choice | undefined) => {
    setTyped(undefined)
    onType?.('')
    onChoose(choice)
  }
  const onFieldBlur = (event: FocusEvent) => {
    const same = matching.filter((c) => matches(c.label, typed ?? '') && matches(typed ?? '', c.label))
    if (typed !== undefined && !typed.trim()) choose(undefined)
    else if (typed !== undefined && same.length === 1) choose(same[0])
    // Where the caller keeps its value while somebody types, the box says it again.
    else if (chosen) setTyped(undefined)
    onBlur?.(event)
  }
  const undo = () => {
    if (typed === undefined) return false
    choose(before.current)
    return true
  }
  return (
    <div className="combobox">
      <Typeahead
        id={control.id}
        label={label}
        text={typed ?? chosen?.label ?? ''}
        choices={matching}
        opensAt={chosen?.value}
        takesFirst="typed"
        status={(isOpen) =>
          statusOf(props, { typed: typed?.trim(), isOpen, count: isSearching ? undefined : matching.length })
        }
        input={{
          ...control,
          autoFocus: props.autoFocus,
          type: 'text',
          placeholder: choices && placeholder,
          intent: control['aria-invalid'] ? 'danger' : undefined,
          'aria-busy': choices ? undefined : true,
          onBlur: onFieldBlur,
        }}
        onText={onInput}
        onChoose={choose}
        onEscape={undo}
      />
      <Icon icon="double-caret-vertical" aria-hidden />
    </div>
  )
}

interface ComboboxState {
  typed: string | undefined
  isOpen: boolean
  count: number | undefined
}

function statusOf({ choices, chosen, isMore }: Props, { typed, isOpen, count }: ComboboxState): string {
  if (!choices) return 'Loading…'
  if (choices.length === 0 && !typed) return 'There is nothing to choose'
  if (!isOpen) return typed && !chosen ? 'Nothing is chosen yet: choose one from the list' : ''
  if (count === undefined) return 'Searching…'
  if (count === 0) return `Nothing matches “${typed}”`
  const hasUnread = isMore && !typed
  if (count > LISTED || hasUnread) {
    const all = hasUnread ? 'many' : count
    return `The first ${LISTED} of ${all} are listed: type a part of the name to find others`
  }
  return count === 1 ? '1 found' : `${count} found`
}
