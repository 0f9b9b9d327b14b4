import { Button, Classes, DialogBody, DialogFooter } from '@blueprintjs/core'
import {
  type ClipboardEvent,
  type Dispatch,
  type KeyboardEvent,
  memo,
  type ReactElement,
  type SetStateAction,
  useCallback,
  useRef,
  useState,
} from 'react'
import { takesSeveralChoices } from '../../contract/fieldTypes.ts'
import type { Field, Option } from '../../contract/generated.ts'
import { MAX_LABEL_LENGTH } from '../../contract/meta/formLimits.ts'
import { Dialog } from '../../engine/core/Dialog.tsx'
import { ScrollRegion } from '../../engine/core/ScrollRegion.tsx'
import { Messages } from '../controls/Messages.tsx'
import {
  COLUMNS,
  type Column,
  MAX_HINT_LENGTH,
  moved,
  type OptionRow,
  optionsOf,
  pasted,
  rowsOf,
  withCells,
} from './optionRows.ts'

interface Props {
  field: Field
  /** True if records have it as an answer, so that it can be retired but not removed. */
  isStored: (option: Option) => boolean
  announce: (words: string) => void
  onDone: (options: Option[]) => void
  onClose: () => void
}

/** Table of a field's choices, to type, to paste from a spreadsheet and to reorder; all changes apply at once. */
export default function OptionsTable({ field, isStored, announce, onDone, onClose }: Props): ReactElement {
  const table = useRef<HTMLTableElement>(null)
  const [first] = useState(() => rowsOf(field.attrs?.options ?? []))
  const [rows, setRows] = useState(first)
  const [problems, setProblems] = useState(new Map<number, string>())
  const [isLeaving, setLeaving] = useState(false)
  const close = () => (rows === first ? onClose() : setLeaving(true))
  const apply = () => {
    const { options, problems } = optionsOf(rows)
    setProblems(problems)
    if (problems.size === 0) return onDone(options)
    focusCell(
      table.current,
      rows.findIndex(({ key }) => problems.has(key)),
      'label',
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = cellOf(event.target)
    const by = STEPS[event.key]
    if (!at || !by || event.ctrlKey || event.metaKey) return
    if (event.altKey && event.key !== 'Enter') {
      event.preventDefault()
      if (at.row + by < 0 || at.row + by >= rows.length - 1 || at.row === rows.length - 1) return
      setRows(moved(rows, at.row, by))
      announce(`${rows[at.row].label} moved to place ${at.row + by + 1} of ${rows.length - 1}`)
    } else {
      event.preventDefault()
      focusCell(table.current, at.row + by, at.column)
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    const at = cellOf(event.target)
    const text = event.clipboardData.getData('text')
    if (!at || !/[\t\n]/.test(text.trimEnd())) return
    event.preventDefault()
    setRows(pasted(rows, at.row, COLUMNS.slice(COLUMNS.indexOf(at.column)), text))
    announce('Pasted')
  }
  return (
    <Dialog
      isOpen
      className="dialog constructor-option-table"
      title={`Choices of ‘${field.label}’`}
      canOutsideClickClose={rows === first}
      onClose={close}
      // Leaves the focus where it is if the person is already typing.
      onOpened={() => cellOf(document.activeElement) || focusCell(table.current, 0, 'label')}
    >
      <DialogBody useOverflowScrollContainer={false}>
        <p className="constructor-hint" id="option-table-hint">
          A row each. Enter goes to the next row, Alt with an arrow moves a row, and rows copied from a
          spreadsheet can be pasted.
        </p>
        <ScrollRegion label="Choices" className="constructor-option-scroll">
          <table ref={table} aria-describedby="option-table-hint" onKeyDown={onKeyDown} onPaste={onPaste}>
            <thead>
              <tr>
                <th scope="col">No.</th>
                <th scope="col">Words</th>
                <th scope="col">Weight</th>
                <th scope="col">Hint</th>
                <th scope="col">Offered</th>
                {takesSeveralChoices(field) && <th scope="col">Chosen alone</th>}
                <th scope="col">Stored as</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {rows.map((row, i) => (
                <Row
                  key={row.key}
                  row={row}
                  at={i}
                  isOneOfSeveral={takesSeveralChoices(field)}
                  isLast={i === rows.length - 1}
                  isStored={row.option !== undefined && isStored(row.option)}
                  problem={problems.get(row.key)}
                  setRows={setRows}
                />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
        <Messages messages={problems.has(0) ? [problems.get(0)!] : []} />
      </DialogBody>
      <DialogFooter
        actions={
          isLeaving ? (
            <>
              <Button text="Go on editing" autoFocus onClick={() => setLeaving(false)} />
              <Button text="Discard the changes" intent="danger" onClick={onClose} />
            </>
          ) : (
            <>
              <Button text="Cancel" onClick={close} />
              <Button text="Apply" intent="primary" onClick={apply} />
            </>
          )
        }
      />
    </Dialog>
  )
}

const STEPS: Record<string, number> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }

interface RowProps {
  row: OptionRow
  at: number
  isOneOfSeveral: boolean
  isLast: boolean
  isStored: boolean
  problem: string | undefined
  setRows: Dispatch<SetStateAction<OptionRow[]>>
}

/** Memoised, because there may be hundreds of rows. */
const Row = memo(function Row(props: RowProps) {
  const { row, at, isOneOfSeveral, isLast, isStored, problem, setRows } = props
  const change = useCallback(
    (cells: Partial<OptionRow>) => setRows((rows) => withCells(rows, at, cells)),
    [at, setRows],
  )
  const name = row.label.trim() || `choice ${at + 1}`
  const error = `option-${row.key}-error`
  const box = (column: Column) => ({
    className: Classes.INPUT,
    'data-row': at,
    'data-column': column,
    // Not part of the draft yet, so Ctrl+Z is the browser's own undo.
    'data-own-text': '',
    autoComplete: 'off',
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': problem === undefined ? undefined : error,
    value: row[column],
    onChange: (event: { currentTarget: HTMLInputElement }) => change({ [column]: event.currentTarget.value }),
  })
  return (
    <tr data-retired={!row.isOffered || undefined}>
      <th scope="row">{isLast ? '' : at + 1}</th>
      <td>
        <input
          {...box('label')}
          aria-label={isLast ? 'Words of a new choice' : `Words of choice ${at + 1}`}
          placeholder={isLast ? 'New choice' : undefined}
          maxLength={MAX_LABEL_LENGTH}
        />
        <Messages id={error} messages={problem ? [problem] : []} />
      </td>
      <td>
        <input {...box('weight')} aria-label={`Weight of ${name}`} inputMode="decimal" />
      </td>
      <td>
        <input {...box('hint')} aria-label={`Hint of ${name}`} maxLength={MAX_HINT_LENGTH} />
      </td>
      <td>
        <input
          type="checkbox"
          aria-label={`Offer ${name}`}
          checked={row.isOffered}
          disabled={isLast}
          onChange={(event) => change({ isOffered: event.currentTarget.checked })}
        />
      </td>
      {isOneOfSeveral && (
        <td>
          <input
            type="checkbox"
            aria-label={`${name} excludes all others`}
            checked={row.isAlone}
            disabled={isLast}
            onChange={(event) => change({ isAlone: event.currentTarget.checked })}
          />
        </td>
      )}
      <td className="constructor-stored-as">{row.option?.value}</td>
      <td>
        {!isStored && !isLast && (
          <Button
            variant="minimal"
            size="small"
            icon="trash"
            aria-label={`Remove ${name}`}
            onClick={() => setRows((rows) => rows.toSpliced(at, 1))}
          />
        )}
      </td>
    </tr>
  )
})

function cellOf(target: EventTarget | null): { row: number; column: Column } | undefined {
  const { row, column } = (target as HTMLElement | null)?.dataset ?? {}
  return column === undefined ? undefined : { row: Number(row), column: column as Column }
}

function focusCell(table: HTMLTableElement | null, row: number, column: Column): void {
  table?.querySelector<HTMLInputElement>(`[data-row="${row}"][data-column="${column}"]`)?.focus()
}
