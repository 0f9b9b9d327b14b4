import type { ReactElement } from 'react'
import { NOUNS } from '../../contract/deadlines/describeDeadline.ts'
import { MAX_SPAN, type Unit } from '../../contract/deadlines/spans.ts'
import type { Span } from '../../contract/generated.ts'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'

interface Props {
  /** What it is the length of: 'Due'. */
  label: string
  span: Span
  /** Fields with a number that it may be taken from, by path. */
  numbers: { value: string; label: string }[]
  messages: string[]
  onChange: (span: Span, typing?: boolean) => void
}

const UNITS: Unit[] = ['working_days', 'days', 'weeks', 'months']

/** A length of time: a number, or the answer that has it, and its unit. */
export function SpanSetting({ label, span, numbers, messages, onChange }: Props): ReactElement {
  const [unit = 'days', amount = 0] = Object.entries(span)[0] ?? []
  const isPath = typeof amount === 'string'
  const offered = isPath && !numbers.some(({ value }) => value === amount)
  return (
    <>
      {(numbers.length > 0 || isPath) && (
        <SelectSetting
          label={`${label}: number from`}
          quiet
          value={isPath ? amount : ''}
          choices={[
            { value: '', label: 'this number' },
            ...numbers,
            ...(offered ? [{ value: amount, label: amount }] : []),
          ]}
          messages={isPath ? messages : []}
          onChange={(path) => onChange({ [unit]: path || 1 })}
        />
      )}
      {!isPath && (
        <TextSetting
          label={`${label}: number`}
          quiet
          type="number"
          value={String(amount)}
          messages={messages}
          onChange={(text) => onChange({ [unit]: wholeNumber(text) }, true)}
        />
      )}
      <SelectSetting
        label={`${label}: unit`}
        quiet
        value={unit as Unit}
        choices={UNITS.map((value) => ({ value, label: `${NOUNS[value]}s` }))}
        onChange={(next) => next && onChange({ [next]: amount })}
      />
    </>
  )
}

function wholeNumber(text: string): number {
  return Math.min(MAX_SPAN, Math.max(0, Math.trunc(Number(text) || 0)))
}
