import { InputGroup, type InputGroupProps } from '@blueprintjs/core'
import { type UseComboboxState, type UseComboboxStateChangeOptions, useCombobox } from 'downshift'
import type { HTMLAttributes, KeyboardEvent, ReactNode } from 'react'
import { FirstMark } from '../../cells/MarksCell.tsx'

/** A choice: its label, and details (`about`) to know before choosing it. */
export interface Choice {
  value: unknown
  label: string
  about?: string
  /** The same with what differs from the search underlined; omitted: plain. */
  shown?: { label: ReactNode; about: ReactNode }
  /** Why it was found, on a line of its own. */
  why?: string
  /** Marks of the record, such as alerts. */
  marks?: unknown
  /** What to know once it is chosen, such as that somebody is away. */
  warning?: string
  /** Heading of consecutive choices with the same one. */
  group?: string
  /** What the heading says besides, such as their number. */
  groupNote?: string
  /** Not stale while others are searched: Enter takes it if it is highlighted. */
  stays?: boolean
  /** Looks like a link, because it goes to a page whatever was typed. */
  isLink?: boolean
}

/** Maximum number of choices that a list renders; others are found by typing more. */
export const LISTED = 100

interface Props {
  id: string
  /** Accessible name of the list. */
  label: string
  text: string
  choices: Choice[]
  /** Status for screen readers, also visible below the input. */
  status: (isOpen: boolean) => string | undefined
  /** The choices are results for an earlier text: Enter takes none of them. */
  isStale?: boolean
  /** Lets Enter take the first choice if none is highlighted: after typing, or whenever the list is open. */
  takesFirst?: 'typed' | 'always'
  /** Value of the choice that is highlighted when the list opens. */
  opensAt?: unknown
  /** Attributes and events of the box, and its icons. */
  input?: Omit<InputGroupProps, 'onChange' | 'onValueChange' | 'value' | 'id'>
  /** Class of a popup with status and list, which opens on focus and is hidden while the status is empty. */
  popup?: string
  onText: (text: string) => void
  onChoose: (choice: Choice) => void
  /** Called with the highlighted choice for Shift+Enter; omitted: the same as Enter. */
  onOpen?: (choice: Choice) => void
  /** Called with the choice that becomes highlighted. */
  onHighlight?: (choice: Choice | undefined) => void
  /** Returns true if it handled Escape, which then does not reach the surrounding elements. */
  onEscape?: (isOpen: boolean) => boolean
}

/**
 * A text box with a list of choices, a combobox after WAI-ARIA: the focus stays in the box, arrows, Home, End and Page
 * keys move through the list, Enter or a click chooses, Escape closes. The caller interprets the text.
 */
export default function Typeahead(props: Props) {
  const { id, label, text, status, isStale, popup, onText, onChoose, onEscape } = props
  const { inputRef, size, ...input } = props.input ?? {}
  const choices = props.choices.slice(0, LISTED)
  const { isOpen, highlightedIndex, getInputProps, getMenuProps, getItemProps, openMenu, closeMenu } =
    useCombobox<Choice>({
      inputId: id,
      menuId: `${id}-list`,
      getItemId: (index) => `${id}-${index}`,
      items: choices,
      inputValue: text,
      selectedItem: null,
      itemToString: (choice) => choice?.label ?? '',
      stateReducer: (state, change) => reduce(state, change, props),
      onHighlightedIndexChange: ({ highlightedIndex: at }) => props.onHighlight?.(choices[at]),
    })
  const isListVisible = isOpen && choices.length > 0
  const active = isListVisible ? choices[highlightedIndex] : undefined
  const words = status(isOpen) ?? ''
  const choose = (choice: Choice) => {
    closeMenu()
    onChoose(choice)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    input.onKeyDown?.(event)
    if (event.key === 'Escape') {
      const isHandled = (isOpen && words !== '') || isListVisible
      if (onEscape?.(isHandled) || isHandled) {
        event.preventDefault()
        // Escape would also close a surrounding dialog.
        event.stopPropagation()
      }
      closeMenu()
      Object.assign(event.nativeEvent, { preventDownshiftDefault: true })
    } else if (event.key === 'Enter' && event.shiftKey && props.onOpen) {
      event.preventDefault()
      if (active && !isStale) props.onOpen(active)
      Object.assign(event.nativeEvent, { preventDownshiftDefault: true })
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      const chosen = active ?? (isListVisible && props.takesFirst === 'always' ? choices[0] : undefined)
      // Otherwise Enter would submit the surrounding form.
      if (chosen || isStale) event.preventDefault()
      if (chosen && (!isStale || active?.stays)) choose(chosen)
      Object.assign(event.nativeEvent, { preventDownshiftDefault: true })
    }
  }
  return (
    <>
      <InputGroup
        autoComplete="off"
        spellCheck={false}
        {...(getInputProps({
          ...input,
          refKey: 'inputRef',
          ref: inputRef,
          onChange: (event) => onText((event.target as HTMLInputElement).value),
          onKeyDown: press,
          onFocus: (event) => {
            if (popup) openMenu()
            input.onFocus?.(event)
          },
          onBlur: (event) => {
            closeMenu()
            input.onBlur?.(event)
          },
          'aria-labelledby': undefined,
          'aria-expanded': isListVisible,
          'aria-activedescendant': active && `${id}-${highlightedIndex}`,
        }) as InputGroupProps)}
      />
      <div className={popup} hidden={popup !== undefined && !(isOpen && words)}>
        <p role="status" className={isListVisible && !popup ? 'visually-hidden' : 'combobox-status'}>
          {words}
        </p>
        {/* The input keeps the focus, or the list would close before the click. */}
        <div
          {...getMenuProps({ 'aria-label': label, onMouseDown: (event) => event.preventDefault() })}
          tabIndex={-1}
          hidden={!isListVisible}
          data-more={props.choices.length > LISTED ? words : undefined}
        >
          {isListVisible && (
            <Options
              choices={choices}
              isStale={isStale}
              propsOf={(item, index) => getItemProps({ item, index, onClick: () => onChoose(item) })}
            />
          )}
        </div>
      </div>
    </>
  )
}

interface OptionsProps extends Pick<Props, 'choices' | 'isStale'> {
  /** Attributes and events of a choice at an index. */
  propsOf: (choice: Choice, index: number) => HTMLAttributes<HTMLDivElement>
}

/** The choices of an open list under their headings. */
function Options({ choices, isStale, propsOf }: OptionsProps) {
  return byGroup(choices).map(([group, under]) => {
    const options = under.map((choice) => {
      const index = choices.indexOf(choice)
      return (
        <div
          {...propsOf(choice, index)}
          key={index}
          tabIndex={-1}
          className={choice.isLink ? 'choice-link' : isStale && !choice.stays ? 'stale' : undefined}
        >
          <span>{choice.shown?.label ?? choice.label}</span>{' '}
          {choice.about && <small>{choice.shown?.about ?? choice.about}</small>}
          <FirstMark value={choice.marks} />
          {choice.why && <span className="existing-reasons">{choice.why}</span>}
        </div>
      )
    })
    if (!group) return options
    const note = under[0].groupNote
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is not part of a listbox
      <div key={group} role="group" aria-label={note ? `${group}, ${note}` : group}>
        <div className="choices-group" aria-hidden="true">
          {group} {note && <span>{note}</span>}
        </div>
        {options}
      </div>
    )
  })
}

function byGroup(choices: Choice[]): [string | undefined, Choice[]][] {
  const groups: [string | undefined, Choice[]][] = []
  for (const choice of choices) {
    const last = groups.at(-1)
    if (last && last[0] === choice.group) last[1].push(choice)
    else groups.push([choice.group, [choice]])
  }
  return groups
}

/**
 * State reducer with the differences from downshift's defaults: the pointer highlights nothing, a click into the open
 * input leaves the list open, and blur chooses nothing.
 */
function reduce(
  state: UseComboboxState<Choice>,
  { type, changes }: UseComboboxStateChangeOptions<Choice>,
  { choices, opensAt, takesFirst, text }: Props,
): Partial<UseComboboxState<Choice>> {
  const types = useCombobox.stateChangeTypes
  switch (type) {
    case types.ItemMouseMove:
    case types.MenuMouseLeave:
      return state
    case types.InputChange: {
      const isFirst = takesFirst === 'typed' && (changes.inputValue ?? text).trim() !== ''
      return { ...changes, highlightedIndex: isFirst ? 0 : -1 }
    }
    case types.InputBlur:
      return { ...changes, selectedItem: state.selectedItem, inputValue: state.inputValue }
    case types.InputClick:
    case types.FunctionOpenMenu:
    case types.InputKeyDownArrowDown:
    case types.InputKeyDownArrowUp:
      if (state.isOpen) return type === types.InputClick ? state : changes
      return { ...changes, isOpen: true, highlightedIndex: choices.findIndex((c) => c.value === opensAt) }
    default:
      return changes
  }
}
