import { isSet } from '../../../contract/when.ts'
import { Actions } from '../../actions/Actions.tsx'
import { ClippedText } from '../../cells/ClippedText.tsx'
import type { RenderedColumn } from '../../cells/columns.ts'
import { Value } from '../../cells/Value.tsx'
import { groupNeighbours, type Row } from '../../core/results.ts'
import type { SheetProps } from './Table.tsx'

/** Texts that may be longer than this are in lines of their own. */
const LONG = 1000

/** The rows as entries to read in order, under a heading for each value of the screen's `group`. */
export default function Timeline({ screen, title, columns, rows, params }: SheetProps) {
  const group = columns.find(({ field }) => field === screen.group)
  const { actions, struck } = screen
  if (!group) return <Entries {...{ title, columns, rows, params, actions, struck }} Heading="h3" />
  const others = columns.filter((column) => column !== group)
  return (
    <div className="timeline">
      {groupNeighbours(rows, group.field).map((same, i) => {
        const day = isSet(same[0][group.field]) ? <Value column={group} row={same[0]} /> : 'No date'
        return (
          <section key={String(same[0].id ?? i)}>
            <h3 className="timeline-group">{day}</h3>
            <Entries {...{ title, params, actions, struck }} columns={others} rows={same} Heading="h4" />
          </section>
        )
      })}
    </div>
  )
}

type Props = Pick<SheetProps, 'title' | 'columns' | 'rows' | 'params'> & {
  actions: SheetProps['screen']['actions']
  struck: SheetProps['screen']['struck']
  /** Heading of an entry: below that of its group, or that of the list. */
  Heading: 'h3' | 'h4'
}

function Entries({ title, rows, ...props }: Props) {
  return (
    <ol className="timeline-entries" aria-label={title}>
      {rows.map((row, i) => (
        <li key={String(row.id ?? i)}>
          <Entry {...props} row={row} />
        </li>
      ))}
    </ol>
  )
}

function Entry({
  columns,
  row,
  params,
  actions,
  struck,
  Heading,
}: Omit<Props, 'title' | 'rows'> & { row: Row }) {
  const { tags, name, texts, small } = partsOf(columns)
  const hasValue = (column: RenderedColumn) => isSet(row[column.field])
  return (
    <article className={struck && isSet(row[struck]) ? 'struck' : undefined}>
      <Heading>
        {tags.map((column) => (
          <Value key={column.field} column={column} row={row} />
        ))}{' '}
        {name && <Value column={name} row={row} />}
      </Heading>
      {texts.filter(hasValue).map((column) => (
        <div key={column.field} className="timeline-text">
          {column.as === 'text' ? (
            <ClippedText label={column.title}>{String(row[column.field])}</ClippedText>
          ) : (
            <Value column={column} row={row} />
          )}
        </div>
      ))}
      <dl className="timeline-small">
        {small.filter(hasValue).map((column) => (
          <div key={column.field}>
            <dt>{column.title}</dt>
            <dd>
              <Value column={column} row={row} />
            </dd>
          </div>
        ))}
      </dl>
      {actions && (
        <Actions small {...{ actions, params }} record={row} about={String(row[name?.field ?? 'id'])} />
      )}
    </article>
  )
}

/** Columns of a timeline by their role in an entry. */
interface TimelineParts {
  tags: RenderedColumn[]
  name?: RenderedColumn
  texts: RenderedColumn[]
  small: RenderedColumn[]
}

/** Tags and the first short text are an entry's heading, long texts and changes its body, others its small print. */
function partsOf(columns: RenderedColumn[]): TimelineParts {
  const tags = columns.filter(({ as }) => as === 'tag')
  const texts = columns.filter(isText)
  const name = columns.find((column) => column.as === 'text' && !texts.includes(column))
  const placed = [...tags, ...texts, name]
  return { tags, name, texts, small: columns.filter((column) => !placed.includes(column)) }
}

function isText({ as, property }: RenderedColumn): boolean {
  return as === 'changes' || (as === 'text' && (property.maxLength ?? 0) > LONG)
}
