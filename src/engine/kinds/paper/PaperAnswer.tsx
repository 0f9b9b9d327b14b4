import type { ComponentType, ReactNode } from 'react'
import { decimalFormatOf } from '../../../contract/decimal.ts'
import { symbolOf } from '../../../contract/decimalFormat.ts'
import { FIELD_TYPES, isQuestion, offeredOptions, takesSeveralChoices } from '../../../contract/fieldTypes.ts'
import type { Option } from '../../../contract/generated.ts'
import type { PaperQuestion } from '../../../contract/meta/paperForm.ts'
import { pointsOf, wordsAt } from '../../../contract/scale.ts'
import type { PaperSpace } from '../../../contract/typeFacts.ts'
import { useContract } from '../../core/contract.ts'
import { useLookupList } from '../../core/lookups.ts'

/** Maximum number of boxes; for a longer list the answer is written on a line. */
const MAX_BOXES = 24
/** The same for choices with weights, without which a score cannot be worked out. */
const MAX_WEIGHED_BOXES = 100
/** Default number of rows of a repeat. */
const ROWS = 4

export function PaperAnswer({ question }: { question: PaperQuestion }) {
  const { field } = question
  const { attrs = {}, type } = field
  if (attrs.calc)
    return <Line hint={`${question.workedOut || 'Worked out from other answers'}; it may stay empty`} />
  if (attrs.ref) return <Line />
  const { paper } = FIELD_TYPES[type]
  if (typeof paper === 'object') return <Digits groups={paper.digits} />
  const Space = SPACES[paper]
  return <Space question={question} />
}

/** The spaces by their names in the table of field types. */
const SPACES: Record<Extract<PaperSpace, string>, ComponentType<{ question: PaperQuestion }>> = {
  line: ({ question: { field } }) => (
    <Line hint={field.attrs?.pattern && `Such as ${field.attrs.pattern.example}`} />
  ),
  shortLine: ({ question: { field } }) => {
    const currency = decimalFormatOf(field)?.currency
    return <Line before={currency && symbolOf(currency)} after={field.attrs?.unit} isShort />
  },
  lines: () => <Lines count={5} />,
  choices: Choices,
  points: Points,
  parts: ({ question: { field } }) =>
    FIELD_TYPES[field.type].parts!.map(({ name, label }) => <Line key={name} before={label} />),
  signature: () => <div className="paper-sign">Sign here</div>,
  attachment: () => <Boxes labels={['Attached to this form']} isShort />,
  rows: Rows,
  nothing: () => null,
}

function Line({
  before,
  after,
  hint,
  isShort = false,
}: {
  before?: string
  after?: string
  hint?: string
  isShort?: boolean
}) {
  return (
    <>
      {hint && <span className="paper-hint">{hint}</span>}
      <span className={isShort ? 'paper-row paper-short' : 'paper-row'}>
        {before && <span>{before}</span>}
        <span className="paper-line" />
        {after && <span>{after}</span>}
      </span>
    </>
  )
}

function Lines({ count }: { count: number }) {
  return Array.from({ length: count }, (_, i) => <Line key={i} />)
}

function Digits({ groups }: { groups: [string, number][] }) {
  return (
    <span className="paper-row">
      {groups.map(([label, count]) => (
        <span key={label} className="paper-figures">
          <span>{label}</span>
          <span>
            {Array.from({ length: count }, (_, i) => (
              <span key={i} className="paper-figure" />
            ))}
          </span>
        </span>
      ))}
    </span>
  )
}

function Boxes({ labels, hint, isShort = false }: { labels: string[]; hint?: ReactNode; isShort?: boolean }) {
  return (
    <>
      {hint && <span className="paper-hint">{hint}</span>}
      <ul className={isShort || labels.length < 4 ? 'paper-boxes paper-inline' : 'paper-boxes'}>
        {labels.map((label, i) => (
          // Two choices may have the same words.
          <li key={`${i} ${label}`}>
            <span className="paper-box" /> {label}
          </li>
        ))}
      </ul>
    </>
  )
}

/** A box for each choice; a line for a long list, or one whose parameters are unknown on paper. */
function Choices({ question: { field, isWeighed } }: { question: PaperQuestion }) {
  const { attrs = {} } = field
  const own = FIELD_TYPES[field.type].ownChoices?.(attrs)
  const { lookups } = useContract()
  const params = Object.entries(attrs.lookup_params ?? {})
  const isOpen = params.some(([, value]) => String(value).startsWith('$'))
  const list = attrs.lookup && !isOpen && Object.hasOwn(lookups, attrs.lookup) ? attrs.lookup : undefined
  const { data } = useLookupList(list, Object.fromEntries(params.map(([key, value]) => [key, String(value)])))
  const offered = attrs.options
    ? offeredOptions(field)
    : (data?.items ?? []).filter(({ active }) => active !== false)
  if (own) return <Boxes labels={own.map(({ label }) => label)} isShort />
  const most = isWeighed ? MAX_WEIGHED_BOXES : MAX_BOXES
  if (offered.length === 0 || offered.length > most || data?.isMore)
    return takesSeveralChoices(field) ? <Lines count={2} /> : <Line />
  const alone = attrs.options?.find(({ exclusive }) => exclusive)
  const hint = `Tick all that apply${alone ? `, or only ‘${alone.label}’` : ''}`
  return (
    <Boxes labels={labelsOf(offered, isWeighed)} hint={takesSeveralChoices(field) ? hint : 'Tick one box'} />
  )
}

function Points({ question: { field } }: { question: PaperQuestion }) {
  const { attrs } = field
  return (
    <ul className="paper-boxes paper-inline paper-scale">
      {pointsOf(attrs).map((point) => (
        <li key={point}>
          <span className="paper-box" />
          <span>{point}</span>
          <span>{wordsAt(attrs, point)}</span>
        </li>
      ))}
    </ul>
  )
}

/** A table of a few plain columns; otherwise the questions of a row, one row below the other. */
function Rows({ question: { field, columns } }: { question: PaperQuestion }) {
  const visible = columns.filter(({ field: column }) => isQuestion(column))
  const most = field.attrs?.max ?? ROWS
  const count = Math.min(most, Math.max(field.attrs?.min ?? 0, ROWS))
  const hint = most > count && (
    <span className="paper-hint">If there are more, continue on a separate sheet</span>
  )
  const isWide = visible.length > 4 || visible.some(({ columns: below }) => below.length > 0)
  const rules = visible
    .flatMap(({ only, needed, number }) => [only, needed && `${number}: ${needed}`])
    .filter(Boolean)
  if (isWide)
    return (
      <>
        {hint}
        {Array.from({ length: Math.min(count, 2) }, (_, row) => (
          <div key={row} className="paper-block">
            <strong>{row + 1}</strong>
            {visible.map((column) => (
              <div key={column.field.name} className="paper-question">
                {column.only && <p className="paper-way">{column.only}</p>}
                <p className="paper-label">
                  {column.number} {column.field.label}
                </p>
                <PaperAnswer question={column} />
              </div>
            ))}
          </div>
        ))}
      </>
    )
  return (
    <>
      {hint}
      {rules.length > 0 && <p className="paper-way">{rules.join(' ')}</p>}
      <table className="paper-table paper-rows">
        <thead>
          <tr>
            {visible.map(({ number, field: column }) => (
              <th key={column.name} scope="col">
                {number} {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: count }, (_, row) => (
            <tr key={row}>
              {visible.map((column) => (
                <td key={column.field.name}>{cellOf(column)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** Labels of choices with their hints, and with the weights that a score adds up: "Often (3)". */
function labelsOf(options: Pick<Option, 'label' | 'weight' | 'hint'>[], isWeighed: boolean): string[] {
  return options.map(({ label, weight = 0, hint }) => {
    const words = hint ? `${label} – ${hint}` : label
    return isWeighed ? `${words} (${weight})` : words
  })
}

/** The content of a cell: boxes for yes and no, or for the options of a short list. */
function cellOf({ field: column, isWeighed }: PaperQuestion): ReactNode {
  const own = FIELD_TYPES[column.type].ownChoices?.(column.attrs)
  if (own) return <Boxes labels={own.map(({ label }) => label)} isShort />
  const options = offeredOptions(column)
  return (
    options.length > 0 &&
    options.length <= (isWeighed ? MAX_BOXES : 5) && <Boxes labels={labelsOf(options, isWeighed)} />
  )
}
