import { Classes, Icon } from '@blueprintjs/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { controlProps } from './ask.ts'
import { matches } from './matches.ts'

/** One choice: what it is called, and what to know before it is chosen. */
export interface Choice {
  value: unknown
  label: string
  about?: string
}

interface Props {
  control: ReturnType<typeof controlProps>
  /** What the list of choices is called. */
  label: string
  /** Undefined while they are being read. */
  choices: Choice[] | undefined
  chosen: Choice | undefined
  /** Whether what was typed is being looked for elsewhere. */
  isFinding?: boolean
  onType?: (text: string) => void
  onChoose: (choice: Choice | undefined) => void
  onLeave: () => void
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * A box to type into, and a list of what matches: arrows move among it, Enter chooses, Escape goes back. What is typed
 * is no answer until it is chosen.
 */
export function Combobox(props: Props) {
  const { control, label, choices, chosen, isFinding, onType, onChoose, onLeave } = props
  const { id } = control
  const [typed, setTyped] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const before = useRef<Choice>(undefined)
  const list = useRef<HTMLDivElement>(null)
  const found = (choices ?? []).filter((c) => matches(`${c.label} ${c.about ?? ''}`, typed ?? ''))
  const isShown = isOpen && found.length > 0
  const active = isShown ? found[at] : undefined
  useEffect(() => {
    if (isShown) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' })
  }, [isShown, at])

  const open = () => {
    setOpen(true)
    setAt(found.findIndex((c) => c.value === chosen?.value))
  }
  const type = (text: string) => {
    if (typed === undefined) before.current = chosen
    setTyped(text)
    setOpen(true)
    setAt(text.trim() ? 0 : -1)
    onChoose(undefined)
    onType?.(text.trim())
  }
  const choose = (choice: Choice | undefined) => {
    setTyped(undefined)
    setOpen(false)
    onType?.('')
    onChoose(choice)
  }
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step) {
      event.preventDefault()
      if (!isOpen) return open()
      const from = at < 0 && step < 0 ? 0 : at
      setAt((from + step + found.length) % Math.max(1, found.length))
    } else if (event.key === 'Enter' && active) {
      // Enter in a box sends the form it stands in.
      event.preventDefault()
      choose(active)
    } else if (event.key === 'Escape' && (isOpen || typed !== undefined)) {
      // Escape closes the dialog that this stands in.
      event.preventDefault()
      event.stopPropagation()
      if (typed === undefined) setOpen(false)
      else choose(before.current)
    }
  }
  const leave = () => {
    setOpen(false)
    const same = found.filter((c) => matches(c.label, typed ?? '') && matches(typed ?? '', c.label))
    if (typed !== undefined && !typed.trim()) choose(undefined)
    else if (typed !== undefined && same.length === 1) choose(same[0])
    onLeave()
  }
  return (
    <div className="combobox">
      <input
        {...control}
        type="text"
        className={control['aria-invalid'] ? `${Classes.INPUT} ${Classes.INTENT_DANGER}` : Classes.INPUT}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={active && `${id}-${at}`}
        aria-busy={choices ? undefined : true}
        spellCheck={false}
        value={typed ?? chosen?.label ?? ''}
        onChange={(event) => type(event.currentTarget.value)}
        onClick={() => !isOpen && open()}
        onKeyDown={press}
        onBlur={leave}
      />
      <Icon icon="double-caret-vertical" aria-hidden />
      <div ref={list} role="listbox" id={`${id}-list`} aria-label={label} hidden={!isShown}>
        {isShown &&
          found.map((choice, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the box hears the keys
            <div
              key={String(choice.value)}
              id={`${id}-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === at}
              // The box keeps the focus, or its list would close before the choice is made.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(choice)}
            >
              {choice.label} {choice.about && <span className="combobox-about">{choice.about}</span>}
            </div>
          ))}
      </div>
      <p role="status" className={isShown ? 'visually-hidden' : 'combobox-status'}>
        {statusOf(props, { typed: typed?.trim(), isOpen, count: isFinding ? undefined : found.length })}
      </p>
    </div>
  )
}

interface Standing {
  typed: string | undefined
  isOpen: boolean
  count: number | undefined
}

function statusOf({ choices, chosen }: Props, { typed, isOpen, count }: Standing): string {
  if (!choices) return 'Loading…'
  if (choices.length === 0 && !typed) return 'There is none to choose'
  if (!isOpen) return typed && !chosen ? 'Nothing is chosen yet: choose one of the list' : ''
  if (count === undefined) return 'Searching…'
  if (count === 0) return `Nothing matches “${typed}”`
  return count === 1 ? '1 found' : `${count} found`
}
