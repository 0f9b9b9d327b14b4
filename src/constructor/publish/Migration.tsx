import { Button } from '@blueprintjs/core'
import type { ReactElement, RefObject } from 'react'
import type { DryRun, TriedMove } from '../../contract/answerMigration/dryRun.ts'
import { describeAnswer } from '../../contract/describeAnswer.ts'
import { FIELD_TYPES, offeredOptions } from '../../contract/fieldTypes.ts'
import type { Field, TakenValue } from '../../contract/generated.ts'
import { pluralise } from '../../contract/pluralise.ts'
import { formatTime } from '../../engine/core/dates.ts'
import type { CaseTypeUsage } from '../state/caseType.ts'
import { type MovedField, setTaken } from '../state/takeAnswers.ts'
import type { EditorState } from '../state/useEditor.ts'
import type { DecidedAnswer } from '../state/usePublishing.ts'
import { Followers } from './Followers.tsx'
import { LookAt } from './LookAt.tsx'
import { MovedBands } from './MovedBands.tsx'
import { NewValueSelect } from './NewValueSelect.tsx'

interface Props {
  editor: EditorState
  usage: CaseTypeUsage
  moves: MovedField[]
  run?: DryRun
  failed: boolean
  retry: () => void
  decided: DecidedAnswer[]
  onDecide: (decided: DecidedAnswer[]) => void
  /** Gets the focus when the dialog opens. */
  sectionRef: RefObject<HTMLElement | null>
}

/** What a publication does with the stored answers, as it was tried: counts, tables to edit, and records to look at. */
export function Migration(props: Props): ReactElement {
  const { editor, usage, moves, run, failed, retry, decided, onDecide, sectionRef } = props
  return (
    <section className="constructor-migration" aria-label="Answers that move" tabIndex={-1} ref={sectionRef}>
      <Counts {...{ run, failed, retry }} />
      {moves.map((move) => {
        const tried = run?.moves.find(({ meta, name }) => meta === move.meta && name === move.name)
        return <Moved key={`${move.meta} ${move.name}`} {...{ editor, move, tried, moves }} />
      })}
      {run && <LookAt {...{ run, moves, decided, onDecide }} />}
      <Followers {...{ moves, usage }} draft={editor.history.draft} />
    </section>
  )
}

function Counts({ run, failed, retry }: Pick<Props, 'run' | 'failed' | 'retry'>): ReactElement {
  const again = <Button size="small" variant="minimal" text="Try again" onClick={retry} />
  if (failed) return <p role="alert">It could not be tried what becomes of the answers. {again}</p>
  if (!run) return <p role="status">Trying what becomes of the answers…</p>
  const { answers, records, same, table, look } = run
  return (
    <div className="constructor-migration-counts" role="status">
      <strong>
        {pluralise(answers, 'answer')} of {pluralise(records, 'record')} {answers === 1 ? 'moves' : 'move'}:
      </strong>
      <span>
        <b>{same}</b> as they are
      </span>
      <span>
        <b>{table}</b> by a table
      </span>
      <span className={look > 0 ? 'look' : undefined}>
        <b>{look}</b> to look at
      </span>
      <em>Tried at {formatTime(run.at)}, nothing was changed.</em>
      {again}
    </div>
  )
}

interface MovedProps {
  editor: EditorState
  move: MovedField
  moves: MovedField[]
  tried?: TriedMove
}

/** One field that takes answers over, with a table of their values where these do not stay as they are. */
function Moved({ editor, move, moves, tried }: MovedProps): ReactElement {
  const { was, is, name, from, meta } = move
  const isSplit = moves.filter((one) => one.meta === meta && one.from === from).length > 1
  const counts = tried && [
    tried.same > 0 && `${tried.same} as they are`,
    tried.table > 0 && `${tried.table} by the table`,
    tried.look > 0 && `${tried.look} to look at`,
  ]
  return (
    <section>
      <h3>
        {kindOf(move, isSplit)}: {was.label === is.label ? is.label : `${was.label} → ${is.label}`}
        <small>
          {was.type !== is.type && `from ${typeOf(was)} to ${typeOf(is)} · `}
          {counts?.filter(Boolean).join(', ')}
        </small>
      </h3>
      {from !== name && (
        <p className="constructor-hint">
          Stored name <code>{from}</code> → <code>{name}</code>. Old versions and exports keep the old one.
        </p>
      )}
      {move.columns?.map((column) => (
        <p className="constructor-hint" key={column.name}>
          {column.was.label === column.is.label
            ? column.is.label
            : `${column.was.label} → ${column.is.label}`}
          {column.from !== column.name && (
            <>
              , stored as <code>{column.from}</code> → <code>{column.name}</code>
            </>
          )}
          {column.values && `, ${pluralise(column.values.length, 'choice')} merged`}
        </p>
      ))}
      {isBanded(move) && <MovedBands {...{ editor, move }} />}
      {tried && (isSplit || move.values || was.type !== is.type) && (
        <ValueTable {...{ editor, move, tried, isSplit }} />
      )}
    </section>
  )
}

/** True if numbers become choices. */
function isBanded({ was, is }: MovedField): boolean {
  return FIELD_TYPES[was.type].calculates === 'number' && offeredOptions(is).length > 0
}

function kindOf({ name, from, was, is, values, columns }: MovedField, isSplit: boolean): string {
  if (isSplit) return 'Split'
  if (was.type !== is.type) return 'Changed'
  if (columns && name === from) return 'Columns'
  return values ? 'Merged' : 'Renamed'
}

function typeOf({ type }: Field): string {
  return FIELD_TYPES[type].title.toLowerCase()
}

type ValueTableProps = Pick<MovedProps, 'editor' | 'move'> & { tried: TriedMove; isSplit: boolean }

/** The values that occur and what becomes of them; choices can be chosen for those that do not stay as they are. */
function ValueTable({ editor, move, tried, isSplit }: ValueTableProps): ReactElement | null {
  const { was, is, meta, name } = move
  const same = tried.values.filter(({ by }) => by === 'same')
  const others = tried.values.filter(({ by }) => by !== 'same')
  // What occurs once and does not fit is in the list of records below.
  const single = others.filter(({ by, count }) => by === undefined && count === 1 && !isSplit)
  const listed = others.filter((one) => !single.includes(one))
  const choices = offeredOptions(is)
  const set = (value: unknown, text: string) => {
    const next = text === '' ? undefined : (JSON.parse(text) as TakenValue['is'])
    editor.history.editDraft((draft) => setTaken(draft, meta, name, value as TakenValue['was'], next), {
      what: 'Table',
    })
  }
  if (tried.values.length === 0) return null
  return (
    <table className="constructor-moved">
      <thead>
        <tr>
          <th scope="col">Until now</th>
          <th scope="col">Records</th>
          <th scope="col">From now on</th>
        </tr>
      </thead>
      <tbody>
        {same.length > 0 && (
          <tr>
            <td>
              {same
                .slice(0, 12)
                .map(({ value }) => describeAnswer(was, value))
                .join(', ')}
            </td>
            <td>{sumOf(same)}</td>
            <td>the same</td>
          </tr>
        )}
        {listed.map(({ value, count, by, is: becomes }) => (
          <tr key={JSON.stringify(value)} className={by === undefined ? 'look' : undefined}>
            <td>{describeAnswer(was, value)}</td>
            <td>{count}</td>
            <td>
              {choices.length === 0 ? (
                describeAnswer(is, becomes)
              ) : (
                <NewValueSelect
                  label={`What ${describeAnswer(was, value)} becomes in ${is.label}`}
                  value={by === undefined ? '' : JSON.stringify(singleOf(becomes))}
                  none={isSplit ? 'No answer here' : 'To look at'}
                  choices={choices}
                  onChange={(text) => set(value, text)}
                />
              )}
            </td>
          </tr>
        ))}
        {single.length > 0 && (
          <tr className="look">
            <td>{pluralise(single.length, 'other')}, each once</td>
            <td>{single.length}</td>
            <td>to look at, below</td>
          </tr>
        )}
        {tried.more > 0 && (
          <tr>
            <td colSpan={3}>{pluralise(tried.more, 'further value')}</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

/** The choice of an answer with one choice. */
function singleOf(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}

function sumOf(values: TriedMove['values']): number {
  return values.reduce((sum, { count }) => sum + count, 0)
}
