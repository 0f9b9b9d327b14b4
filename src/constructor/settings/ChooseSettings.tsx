import { Button } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { kindOf } from '../../contract/calculate.ts'
import { bandsOf } from '../../contract/choose.ts'
import { holdsRows } from '../../contract/fieldTypes.ts'
import type { ChooseRow, Field } from '../../contract/generated.ts'
import { describeCalculation } from '../../contract/meta/describeCalculation.ts'
import { FORM_LIMITS } from '../../contract/meta/formLimits.ts'
import { capitalised } from '../../contract/quoted.ts'
import { Condition } from '../conditions/Condition.tsx'
import { withNewTest } from '../conditions/conditionRows.ts'
import { offeredAt, reachOf } from '../conditions/reach.ts'
import { useNextFocus } from '../conditions/useNextFocus.ts'
import { LimitNote } from '../controls/LimitNote.tsx'
import { Messages } from '../controls/Messages.tsx'
import type { Address } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { Bands } from './Bands.tsx'
import { ThenSetting } from './ThenSetting.tsx'

/** The rows of a new calculation by conditions. */
export const NEW_ROWS: ChooseRow[] = [{ when: withNewTest(), then: '' }, {}]

interface Props {
  field: Field
  address: Address
  set: SetAttrs
}

/** The conditions and values of a calculation: as bands of a number where all rows are such, else row by row. */
export function ChooseSettings({ field, address, set }: Props): ReactElement {
  const form = useEditorContext()
  const { errors } = form
  const [isByRow, setByRow] = useState(false)
  const rows = field.attrs?.choose ?? NEW_ROWS
  const bands = bandsOf(rows)
  const numbers = offeredAt(form, address).filter((one) => kindOf(one) === 'number' && !holdsRows(one))
  const save = (choose: ChooseRow[], typing?: boolean) =>
    set({ choose }, { what: 'Values by conditions', typing })
  const isNew = rows.length === 2 && rows[0].then === ''
  return (
    <fieldset className="constructor-arguments">
      <legend>Which value it has</legend>
      {numbers.length > 0 && (bands || isNew) && (
        <Button
          size="small"
          variant="minimal"
          icon={isByRow || !bands ? 'th' : 'list'}
          text={isByRow || !bands ? 'As bands of a number' : 'As conditions'}
          onClick={() => {
            if (bands) return setByRow(!isByRow)
            setByRow(false)
            save([{ when: { [numbers[0].name]: { min: 0 } } }, {}])
          }}
        />
      )}
      {bands && !isByRow ? (
        <Bands {...{ field, address, bands, numbers, set }} />
      ) : (
        <Rows {...{ field, address, rows, save }} />
      )}
      <Messages messages={messagesAt(errors, address, 'attrs.choose').slice(0, 1)} />
      <p className="constructor-hint">{capitalised(describeCalculation(field, reachOf(form, address)))}</p>
    </fieldset>
  )
}

interface RowsProps {
  field: Field
  address: Address
  rows: ChooseRow[]
  save: (rows: ChooseRow[], typing?: boolean) => void
}

function Rows({ field, address, rows, save }: RowsProps): ReactElement {
  const form = useEditorContext()
  const { errors, announce } = form
  const { box, focusNext } = useNextFocus<HTMLDivElement>()
  const offered = offeredAt(form, address)
  const last = rows.length - 1
  const drop = (at: number) => {
    focusNext([`value ${Math.min(at, last - 2)}`, 'add value'])
    announce(`Condition ${at + 1} removed`)
    save(rows.toSpliced(at, 1))
  }
  const add = () => {
    focusNext([`value ${last}`])
    save(rows.toSpliced(last, 0, { when: withNewTest(), then: '' }))
  }
  const up = (at: number) => {
    announce(`Condition ${at + 1} moved to place ${at}`)
    save(rows.toSpliced(at, 1).toSpliced(at - 1, 0, rows[at]))
  }
  return (
    <div ref={box}>
      {rows.slice(0, -1).map((row, i) => (
        <fieldset key={i} className="constructor-check" data-condition={`value ${i}`}>
          <legend>{`Value ${i + 1}`}</legend>
          <span className="constructor-test-buttons">
            {i > 0 && (
              <Button
                size="small"
                variant="minimal"
                icon="arrow-up"
                aria-label={`Move value ${i + 1} up`}
                onClick={() => up(i)}
              />
            )}
            {last > 1 && (
              <Button
                size="small"
                variant="minimal"
                icon="cross"
                aria-label={`Remove value ${i + 1}`}
                onClick={() => drop(i)}
              />
            )}
          </span>
          <Condition
            label={i === 0 ? 'If' : 'Otherwise, if'}
            address={address}
            when={row.when ?? withNewTest()}
            messages={messagesAt(errors, address, `attrs.choose.${i}.when`)}
            onChange={(when) => save(rows.with(i, { ...row, when: when ?? withNewTest() }))}
          />
          <ThenSetting
            label="Then it is"
            {...{ field, offered }}
            then={row.then}
            messages={messagesAt(errors, address, `attrs.choose.${i}.then`)}
            onChange={(then, typing) => save(rows.with(i, withThen(row, then)), typing)}
          />
        </fieldset>
      ))}
      <LimitNote what="values" count={rows.length} />
      {rows.length < FORM_LIMITS.values && (
        <span data-condition="add value">
          <Button size="small" icon="plus" variant="minimal" text="Add a condition" onClick={add} />
        </span>
      )}
      <ThenSetting
        label="Otherwise"
        {...{ field, offered }}
        then={rows[last].then}
        messages={messagesAt(errors, address, `attrs.choose.${last}`)}
        onChange={(then, typing) => save(rows.with(last, withThen({}, then)), typing)}
      />
    </div>
  )
}

function withThen({ then: _, ...row }: ChooseRow, then: ChooseRow['then']): ChooseRow {
  return then === undefined ? row : { ...row, then }
}
