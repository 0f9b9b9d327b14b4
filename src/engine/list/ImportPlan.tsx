import { Callout, HTMLTable } from '@blueprintjs/core'
import { ChangeText } from '../cells/ChangeText.tsx'
import { ScrollRegion } from '../page/ScrollRegion.tsx'
import type { Plan } from './importTypes.ts'

/** More would not be read. */
const MOST = 200
const STATES = { added: 'Added', changed: 'Changed', unchanged: 'Unchanged' }

/** What a spreadsheet would do, or everything that is wrong in it. */
export function ImportPlan({ name, plan: { counts, rows, errors } }: { name: string; plan: Plan }) {
  if (errors.length > 0) {
    return (
      <Callout
        intent="danger"
        compact
        title={`${errors.length} ${errors.length === 1 ? 'mistake' : 'mistakes'} in ${name}`}
      >
        <p>Nothing is imported before they are put right.</p>
        <ul>
          {errors.slice(0, MOST).map(({ row, column, message }) => (
            <li key={`${row} ${column} ${message}`}>
              <strong>
                {column}
                {row}
              </strong>{' '}
              {message}
            </li>
          ))}
        </ul>
        <More limit={MOST} of={errors.length} />
      </Callout>
    )
  }
  const changedRows = rows.filter(({ state }) => state !== 'unchanged')
  return (
    <>
      <p>
        {name}: {counts.added} added, {counts.changed} changed, {counts.unchanged} unchanged.
      </p>
      {changedRows.length > 0 && (
        <ScrollRegion label="What would change" className="import-rows">
          <HTMLTable compact>
            <thead>
              <tr>
                <th scope="col">Row</th>
                <th scope="col">What</th>
                <th scope="col">Values</th>
              </tr>
            </thead>
            <tbody>
              {changedRows.slice(0, MOST).map(({ row, label, state, changes }) => (
                <tr key={row}>
                  <td>{row}</td>
                  <th scope="row" className="import-label">
                    {STATES[state]}: {label}
                  </th>
                  <td>
                    <dl className="changes">
                      {changes.map((change) => (
                        <div key={change.field}>
                          <dt>{change.label}</dt>
                          <dd>
                            <ChangeText {...change} />
                          </dd>
                        </div>
                      ))}
                    </dl>
                  </td>
                </tr>
              ))}
            </tbody>
          </HTMLTable>
          <More limit={MOST} of={changedRows.length} />
        </ScrollRegion>
      )}
    </>
  )
}

function More({ limit, of }: { limit: number; of: number }) {
  return of > limit ? <p>And {(of - limit).toLocaleString('en-GB')} more.</p> : null
}
