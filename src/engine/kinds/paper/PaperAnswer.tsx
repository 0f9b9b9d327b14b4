import type { ReactNode } from 'react'
import { CONTACT_PARTS } from '../../../contract/contactParts.ts'
import { describeAnswer } from '../../../contract/describeAnswer.ts'
import { offeredOptions, yesNoValues } from '../../../contract/fieldTypes.ts'
import type { Field, FieldType, Option } from '../../../contract/generated.ts'
import type { PaperQuestion } from '../../../contract/meta/paperForm.ts'
import { pointsOf, wordsAt } from '../../../contract/scale.ts'
import { useContract } from '../../core/contract.ts'
import { useLookupList } from '../../core/lookups.ts'

/** Maximum number of boxes; for a longer list the answer is written on a line. */
const MAX_BOXES = 24
/** The same for choices with weights, without which a score cannot be worked out. */
const MAX_WEIGHED_BOXES = 100
/** Default number of rows of a repeat. */
const ROWS = 4

/** Labels and numbers of boxes of one digit each, by field type. */
const FIGURES: Partial<Record<FieldType, [label: string, count: number][]>> = {
  date: [
    ['Day', 2],
    ['Month', 2],
    ['Year', 4],
  ],
  datetime: [
    ['Day', 2],
    ['Month', 2],
    ['Year', 4],
    ['Hour', 2],
    ['Minute', 2],
  ],
  month: [
    ['Month', 2],
    ['Year', 4],
  ],
  year: [['Year', 4]],
  time: [
    ['Hour', 2],
    ['Minute', 2],
  ],
  duration: [
    ['Hours', 2],
    ['Minutes', 2],
  ],
}
const SIGNS: Record<string, string> = { GBP: '£', EUR: '€', USD: '$' }

/** The space for the answer to a question. */
export function PaperAnswer({ question }: { question: PaperQuestion }) {
  const { field } = question
  const { type, attrs = {} } = field
  if (attrs.calc)
    return <Line hint={`${question.workedOut || 'Worked out from other answers'}; it may stay empty`} />
  if (attrs.ref) return <Line />
  if (FIGURES[type]) return <Figures groups={FIGURES[type]} />
  if (type === 'yesno')
    return <Boxes labels={yesNoValues(field).map((value) => describeAnswer(field, value))} isShort />
  if (type === 'select' || type === 'multiselect') return <Choices question={question} />
  if (type === 'scale') return <Scale field={field} />
  if (type === 'textarea') return <Lines count={5} />
  if (type === 'contact') return CONTACT_PARTS.map(({ name, label }) => <Line key={name} before={label} />)
  if (type === 'signature') return <div className="paper-sign">Sign here</div>
  if (type === 'file') return <Boxes labels={['Attached to this form']} isShort />
  if (type === 'repeat') return <Rows question={question} />
  if (type === 'money') return <Line before={SIGNS[attrs.currency ?? 'GBP']} isShort />
  if (type === 'integer' || type === 'decimal') return <Line after={attrs.unit} isShort />
  if (attrs.pattern) return <Line hint={`Such as ${attrs.pattern.example}`} />
  return <Line isShort={type === 'postcode' || type === 'phone'} />
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

function Figures({ groups }: { groups: [string, number][] }) {
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
  const { attrs = {}, type } = field
  const { lookups } = useContract()
  const params = Object.entries(attrs.lookup_params ?? {})
  const isOpen = params.some(([, value]) => String(value).startsWith('$'))
  const list = attrs.lookup && !isOpen && Object.hasOwn(lookups, attrs.lookup) ? attrs.lookup : undefined
  const { data } = useLookupList(list, Object.fromEntries(params.map(([key, value]) => [key, String(value)])))
  const offered = attrs.options
    ? offeredOptions(field)
    : (data?.items ?? []).filter(({ active }) => active !== false)
  const most = isWeighed ? MAX_WEIGHED_BOXES : MAX_BOXES
  if (offered.length === 0 || offered.length > most || data?.isMore)
    return type === 'multiselect' ? <Lines count={2} /> : <Line />
  const alone = attrs.options?.find(({ exclusive }) => exclusive)
  const hint = `Tick all that apply${alone ? `, or only ‘${alone.label}’` : ''}`
  return <Boxes labels={labelsOf(offered, isWeighed)} hint={type === 'multiselect' ? hint : 'Tick one box'} />
}

function Scale({ field: { attrs } }: { field: Field }) {
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
  const visible = columns.filter(({ field: column }) => column.type !== 'note')
  const most = field.attrs?.max ?? ROWS
  const count = Math.min(most, Math.max(field.attrs?.min ?? 0, ROWS))
  const hint = most > count && (
    <span className="paper-hint">If there are more, go on with a sheet of its own</span>
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

/** Labels of choices, with the weights that a score adds up: "Often (3)". */
function labelsOf(options: Pick<Option, 'label' | 'weight'>[], isWeighed: boolean): string[] {
  return options.map(({ label, weight = 0 }) => (isWeighed ? `${label} (${weight})` : label))
}

/** The content of a cell: boxes for yes and no, or for the options of a short list. */
function cellOf({ field: column, isWeighed }: PaperQuestion): ReactNode {
  if (column.type === 'yesno')
    return <Boxes labels={yesNoValues(column).map((value) => describeAnswer(column, value))} isShort />
  const options = offeredOptions(column)
  return (
    options.length > 0 &&
    options.length <= (isWeighed ? MAX_BOXES : 5) && <Boxes labels={labelsOf(options, isWeighed)} />
  )
}
