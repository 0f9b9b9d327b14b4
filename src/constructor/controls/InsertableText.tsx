import { Button } from '@blueprintjs/core'
import { type ReactElement, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { placeholdersIn, plainLabel } from '../../contract/filledTexts.ts'
import type { Field } from '../../contract/generated.ts'
import { canStandIn, placeholderError, type TextKind } from '../../contract/meta/placeholders.ts'
import { joinWords } from '../../contract/quoted.ts'
import { findMatches } from '../../engine/form/widgets/matches.ts'
import { type Answer, AnswerList, LISTED } from './AnswerList.tsx'
import {
  type OpenPlaceholder,
  openPlaceholder,
  type TextAtCaret,
  withPlaceholder,
} from './openPlaceholder.ts'
import { TextSetting, type TextSettingProps } from './TextSetting.tsx'

/** What can be inserted into a text. */
export interface Insertable {
  kind: TextKind
  /** The fields that placeholders of the text can name, by name. */
  fields: () => ReadonlyMap<string, Field>
  /** The fields in the order in which they are listed. */
  listed: () => Field[]
  /** The field that has the text. */
  own?: Field
}

type Props = TextSettingProps & { maxLength: number; insertable: Insertable }

interface OpenList extends OpenPlaceholder {
  caret: number
  active: number
  answers: Answer[]
  /** What the text was before the button opened the list; it is that again if nothing is chosen. */
  restores: TextAtCaret | undefined
  /** What was chosen would make the text too long. */
  isFull?: boolean
}

/**
 * A text into which answers can be inserted: typing a brace or pressing the button opens a list at the caret, which
 * typing narrows down. The focus stays in the text; arrows move through the list, Enter inserts, Escape closes.
 */
export function InsertableText(props: Props): ReactElement {
  const { insertable, value, onChange, maxLength, ...setting } = props
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  /** The caret when the text was left; undefined before it was visited. */
  const caretLeft = useRef<number>(undefined)
  const putCaret = usePutCaret(area)
  const [open, setOpen] = useState<OpenList>()
  // Undo or a colleague may have changed the text meanwhile.
  const isOpen = open !== undefined && openPlaceholder(value, open.caret)?.start === open.start
  const matching = isOpen ? findMatches(open.answers, open.typed, LISTED) : NONE
  const active = isOpen ? matching[Math.min(open.active, matching.length - 1)] : undefined
  const change = ({ text, caret }: TextAtCaret) => {
    caretLeft.current = caret
    putCaret(caret)
    onChange(text)
  }
  const onType = (text: string) => {
    onChange(text)
    const caret = area.current!.selectionStart
    caretLeft.current = caret
    const now = openPlaceholder(text, caret)
    if (!now) return setOpen(undefined)
    const before = open?.start === now.start ? open : undefined
    const answers = before?.answers ?? answersOf(insertable)
    setOpen({ ...now, caret, active: 0, answers, restores: before?.restores })
  }
  const insert = ({ field }: Answer) => {
    const next = withPlaceholder({ text: value, caret: open!.caret }, open!, field.name)
    if (next.text.length > maxLength) return setOpen({ ...open!, isFull: true })
    setOpen(undefined)
    change(next)
  }
  /** Closes the list and returns what the text was before the button. */
  const close = () => {
    setOpen(undefined)
    return isOpen ? open.restores : undefined
  }
  const openByButton = () => {
    const at = Math.min(caretLeft.current ?? value.length, value.length)
    const before = value.slice(0, at)
    const brace = caretLeft.current === undefined && /\S$/.test(before) ? ' {' : '{'
    const text = before + brace + value.slice(at)
    if (text.length > maxLength) return area.current?.focus()
    const caret = at + brace.length
    change({ text, caret })
    setOpen({
      start: caret - 1,
      typed: '',
      caret,
      active: 0,
      answers: answersOf(insertable),
      restores: { text: value, caret: at },
    })
  }
  return (
    <div className="insertable">
      <TextSetting
        {...setting}
        value={value}
        maxLength={maxLength}
        messages={withPlaceholderErrors(setting.messages ?? [], value, insertable)}
        onChange={onType}
        box={{
          ref: area,
          'aria-autocomplete': 'list',
          'aria-haspopup': 'listbox',
          'aria-controls': active && `${id}-list`,
          'aria-activedescendant': active && `${id}-${active.field.name}`,
          onSelect: ({ currentTarget: { selectionStart } }) => {
            caretLeft.current = selectionStart
            if (isOpen && selectionStart !== open.caret) setOpen(undefined)
          },
          onBlur: () => {
            const before = close()
            if (before) onChange(before.text)
          },
          onKeyDown: (event) => {
            if (!isOpen || event.nativeEvent.isComposing) return
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            if (step && active) {
              const length = Math.min(matching.length, LISTED)
              setOpen({ ...open, active: (matching.indexOf(active) + step + length) % length })
            } else if (event.key === 'Enter' && active) insert(active)
            else if (event.key === 'Escape') {
              const before = close()
              if (before) change(before)
            } else return
            event.preventDefault()
            event.stopPropagation()
          },
        }}
      >
        <div className="combobox insertable-popup">
          <p
            role="status"
            className={isOpen && (!active || open.isFull) ? 'combobox-status' : 'visually-hidden'}
          >
            {isOpen && statusOf(matching.length, open, maxLength)}
          </p>
          {active && <AnswerList id={id} answers={matching} active={active} onChoose={insert} />}
        </div>
        <Shown text={value} insertable={insertable} />
      </TextSetting>
      <Button
        size="small"
        variant="minimal"
        icon="insert"
        text="Insert an answer"
        aria-describedby={`${id}-of`}
        onClick={openByButton}
      />
      <span id={`${id}-of`} hidden>{`Into: ${setting.label}`}</span>
    </div>
  )
}

const NONE: Answer[] = []

/** The answers that a text shows, in words. */
function Shown({ text, insertable }: { text: string; insertable: Insertable }): ReactElement | null {
  const names = [...new Set(placeholdersIn(text))]
  const fields = names.length > 0 ? insertable.fields() : undefined
  const labels = names.flatMap((name) => {
    const field = fields?.get(name)
    return field ? [`‘${plainLabel(field.label)}’`] : []
  })
  return labels.length > 0 ? <p className="constructor-hint">{`Shows ${joinWords(labels)}.`}</p> : null
}

/** The messages with the errors of placeholders, which can be shown without waiting for the whole validation. */
function withPlaceholderErrors(messages: string[], text: string, insertable: Insertable): string[] {
  const names = placeholdersIn(text)
  if (names.length === 0) return messages
  const { kind, own } = insertable
  const fields = insertable.fields()
  const errors = names.flatMap((name) => placeholderError(kind, name, fields, own, fields.keys()) ?? [])
  return [...new Set([...messages, ...errors])]
}

/** The answers that can be inserted; those of fields that are switched off are left out. */
function answersOf({ kind, listed, own }: Insertable): Answer[] {
  return listed()
    .filter((field) => field.name !== own?.name && field.attrs?.is_on !== false && canStandIn(kind, field))
    .map((field) => ({
      field,
      label: plainLabel(field.label),
      // Words of the name are found too.
      about: field.name.replaceAll('_', ' '),
    }))
}

function statusOf(count: number, { typed, isFull }: OpenList, maxLength: number): string {
  if (isFull) return `There is no room for it: ${maxLength} characters at most`
  if (count === 0) return typed ? `No answer matches “${typed}”` : 'There is no answer to insert'
  const words = count === 1 ? '1 answer' : `${count} answers`
  return `${words}: arrow keys choose, Enter inserts, Escape closes`
}

/** Returns a function that moves the focus and the caret into the text after its next render. */
function usePutCaret(area: RefObject<HTMLTextAreaElement | null>): (caret: number) => void {
  const next = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (next.current === undefined) return
    const caret = next.current
    next.current = undefined
    area.current?.focus()
    area.current?.setSelectionRange(caret, caret)
  })
  return (caret) => {
    next.current = caret
  }
}
