import { isSet } from '../../contract/when.ts'
import { Actions } from '../actions/Actions.tsx'
import type { RenderedColumn } from '../cells/columns.ts'
import { Value } from '../cells/Value.tsx'
import { groupNeighbours } from './groupNeighbours.ts'
import type { Row } from './results.ts'
import { partsOf } from './storyParts.ts'
import type { SheetProps } from './Table.tsx'

/** The rows as entries to be read one after the other, under a heading for each value of the screen's `group`. */
export default function Story({ screen, title, columns, rows, params }: Omit<SheetProps, 'ref'>) {
  const group = columns.find(({ field }) => field === screen.group)
  if (!group) return <Entries {...{ title, columns, rows, params }} actions={screen.actions} />
  const others = columns.filter((column) => column !== group)
  return (
    <div className="story">
      {groupNeighbours(rows, group.field).map((same) => {
        const day = isSet(same[0][group.field]) ? <Value column={group} row={same[0]} /> : 'No date'
        return (
          <section key={String(same[0].id)}>
            <h3 className="story-group">{day}</h3>
            <Entries title={title} columns={others} rows={same} params={params} actions={screen.actions} />
          </section>
        )
      })}
    </div>
  )
}

type Props = Pick<SheetProps, 'title' | 'columns' | 'rows' | 'params'> & {
  actions: SheetProps['screen']['actions']
}

function Entries({ title, columns, rows, params, actions }: Props) {
  return (
    <ol className="story-entries" aria-label={title}>
      {rows.map((row, i) => (
        <li key={String(row.id ?? i)}>
          <Entry {...{ columns, row, params, actions }} />
        </li>
      ))}
    </ol>
  )
}

function Entry({ columns, row, params, actions }: Omit<Props, 'title' | 'rows'> & { row: Row }) {
  const { tags, name, texts, small } = partsOf(columns)
  const hasValue = (column: RenderedColumn) => isSet(row[column.field])
  return (
    <article>
      <h4>
        {tags.map((column) => (
          <Value key={column.field} column={column} row={row} />
        ))}{' '}
        {name && <Value column={name} row={row} />}
      </h4>
      {texts.filter(hasValue).map((column) => (
        <div key={column.field} className="story-text">
          <Value column={column} row={row} />
        </div>
      ))}
      <dl className="story-small">
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
