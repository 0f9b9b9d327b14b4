import { Button } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'
import { readAnswers, writeAnswers } from '../../../contract/answerFilter.ts'
import { useLookup } from '../../core/lookups.ts'
import type { FormHandle } from '../../form/FormView.tsx'
import { AnswerRowView } from './AnswerRowView.tsx'
import type { AnswersProps } from './Answers.tsx'
import { type AnswerRow, type CaseTypeItem, conditionOf } from './answerRow.ts'

type Props = Pick<AnswersProps, 'id' | 'filter' | 'text' | 'onChange'>

const RETIRED = { active: false }
let lastKey = 0

/** Rows of conditions on answers in the forms of case types; the complete ones make up the filter's text. */
export function AnswersFilter({ id, filter, text, onChange }: Props) {
  const types = useLookup('case_type', RETIRED) as CaseTypeItem[] | undefined
  const [rows, setRows] = useState(() => rowsOf(text))
  const [isTried, setTried] = useState(false)
  const latest = useRef({ rows, sent: text })
  const values = useRef(new Map<number, FormHandle>())
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    // Removing a tag, opening a view or going back changes the text from outside.
    if (text === latest.current.sent) return
    latest.current = { rows: rowsOf(text), sent: text }
    setRows(latest.current.rows)
    setTried(false)
  }, [text])
  useEffect(() => {
    const form = box.current?.closest('form')
    // In the capture phase, before React's listener, so that debounced input is part of the filter that is applied.
    const flush = () => {
      for (const handle of values.current.values()) handle.flush()
      setTried(true)
    }
    form?.addEventListener('submit', flush, true)
    return () => form?.removeEventListener('submit', flush, true)
  }, [])

  const change = (next: AnswerRow[]) => {
    const conditions = next
      .map((row) => conditionOf(types ?? [], row))
      .filter((one) => typeof one !== 'string')
    const sent = writeAnswers(conditions)
    const isOther = sent !== latest.current.sent
    latest.current = { rows: next, sent }
    setRows(next)
    if (isOther) onChange(sent)
  }
  const add = () => {
    const row = newRow(latest.current.rows.at(-1)?.caseType)
    setTried(false)
    change([...latest.current.rows, row])
    requestAnimationFrame(() =>
      document.getElementById(`${id}-${row.key}-${row.caseType ? 'field' : 'type'}`)?.focus(),
    )
  }
  const remove = (row: AnswerRow) => {
    change(latest.current.rows.filter(({ key }) => key !== row.key))
    requestAnimationFrame(() => document.getElementById(`${id}-add`)?.focus())
  }
  return (
    <section className="answers" ref={box} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{filter.title}</h2>
      {rows.length > 1 && (
        <p className="answers-hint">
          A case must meet all of them. The same question twice means either answer; other case types are
          searched as well.
        </p>
      )}
      {types &&
        rows.map((row, at) => {
          const error = conditionOf(types, row)
          return (
            <AnswerRowView
              key={row.key}
              id={`${id}-${row.key}`}
              row={row}
              number={at + 1}
              types={types}
              error={isTried && typeof error === 'string' ? error : undefined}
              valueRef={(handle) => {
                if (handle) values.current.set(row.key, handle)
                else values.current.delete(row.key)
              }}
              onChange={(changed) =>
                change(latest.current.rows.map((one) => (one.key === changed.key ? changed : one)))
              }
              onRemove={() => remove(row)}
            />
          )
        })}
      <Button
        id={`${id}-add`}
        icon="plus"
        disabled={!types}
        text={rows.length > 0 ? 'Add another answer' : 'Search by an answer'}
        onClick={add}
      />
    </section>
  )
}

function newRow(caseType?: number): AnswerRow {
  return { key: ++lastKey, caseType, values: [] }
}

/** The rows of a serialised filter; none if it is empty or invalid. */
function rowsOf(text: string): AnswerRow[] {
  const conditions = text ? readAnswers(text) : []
  if (typeof conditions === 'string') return []
  return conditions.map((condition) => ({ ...newRow(), ...condition }))
}
