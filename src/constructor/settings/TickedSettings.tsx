import { Button } from '@blueprintjs/core'
import { type ReactElement, useId, useState } from 'react'
import { isQuestion } from '../../contract/fieldTypes.ts'
import type { Field, FieldAttrs, Group } from '../../contract/generated.ts'
import { loadable } from '../../engine/core/loadable.tsx'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { type Address, fieldAt, itemAt } from '../state/address.ts'
import { duplicateItems, withoutInner } from '../state/duplicate.ts'
import { moveTo, remove, setAttrs } from '../state/edit.ts'
import { useEditorContext } from '../state/editorContext.ts'
import { whyNotRemovableAt } from '../state/fieldUsage.ts'
import { sameChoices } from './sameChoices.ts'
import { MUST } from './VisibleSetting.tsx'

const WeightsTable = loadable(() => import('./WeightsTable.tsx'))

const MANY = 5

/** Actions on several groups, fields and columns at once, each as one undoable step. */
export function TickedSettings({ addresses }: { addresses: Address[] }): ReactElement {
  const editorContext = useEditorContext()
  const { groups, edit, select, announce } = editorContext
  const reason = useId()
  const [isWeighing, setWeighing] = useState(false)
  const choose = (ticked: Address[]) => select({ address: [], ticked, focus: false })
  if (addresses.length === 0)
    return (
      <p className="constructor-hint">
        Tick groups, fields or columns in the structure. With Shift, all between two are ticked.
      </p>
    )
  const outer = withoutInner(addresses)
  const askable = addresses.filter((address) => canBeRequired(itemAt(groups, address) as Field))
  const weighable = addresses.filter(isAlike(sameChoices(groups, firstWithChoices(groups, addresses))))
  const areFields = outer.every((address) => address.length === 2)
  const reasons = outer.flatMap((address) => whyNotRemovableAt(editorContext, address) ?? [])
  const setAll = (some: Address[], attrs: FieldAttrs, what: string) => {
    edit((all) => some.reduce((form, address) => setAttrs(form, address, attrs), all), { what, at: some[0] })
    announce(`${what}: ${some.length}`)
  }
  const moveAll = (name: string | undefined) => {
    const group = groups.find((one) => one.name === name)
    if (!group) return
    const moved = outer.reduce(
      (form, address) =>
        moveTo(form, address, [group.name], (itemAt(form, [group.name]) as Group).fields.length).groups,
      groups,
    )
    const places = outer.map(([, field]) => [group.name, field])
    edit(() => moved, { what: 'Moved', at: places[0] })
    choose(places)
    announce(`${outer.length} moved to the end of ${group.label}`)
  }
  const removeAll = () => {
    if (reasons.length > 0) return announce(reasons[0])
    edit((all) => outer.reduce(remove, all), { what: 'Removed', at: outer[0].slice(0, -1) })
    choose([])
    announce(`${outer.length} removed`)
  }
  return (
    <>
      <div className="constructor-setting constructor-item-actions">
        <Button text="Switch on" onClick={() => setAll(addresses, { is_on: true }, 'Switched on')} />
        <Button text="Switch off" onClick={() => setAll(addresses, { is_on: false }, 'Switched off')} />
        {askable.length > 0 && (
          <>
            <Button text="Make required" onClick={() => setAll(askable, MUST.always(), 'Made required')} />
            <Button text="Make optional" onClick={() => setAll(askable, MUST.optional(), 'Made optional')} />
          </>
        )}
      </div>
      {weighable.length > 1 && (
        <div className="constructor-setting">
          <Button
            icon="numerical"
            text={`Weights of these ${weighable.length} questions`}
            aria-haspopup="dialog"
            onClick={() => setWeighing(true)}
          />
          {isWeighing && <WeightsTable addresses={weighable} onClose={() => setWeighing(false)} />}
        </div>
      )}
      {areFields && (
        <SelectSetting
          label="Move to the end of"
          value={undefined}
          none="Choose…"
          choices={groups.map(({ name, label }) => ({ value: name, label }))}
          onChange={moveAll}
        />
      )}
      <div className="constructor-setting constructor-item-actions">
        <Button
          icon="duplicate"
          variant="outlined"
          text="Duplicate these"
          onClick={() => choose(duplicateItems(editorContext, addresses))}
        />
        <Button
          icon="trash"
          intent={reasons.length > 0 ? 'none' : 'danger'}
          variant="outlined"
          text="Remove these"
          aria-disabled={reasons.length > 0}
          aria-describedby={reasons.length > 0 ? reason : undefined}
          onClick={removeAll}
        />
      </div>
      {reasons.length > 0 && (
        <ul className="constructor-sentences" id={reason}>
          {reasons.slice(0, MANY).map((why) => (
            <li key={why}>{why}.</li>
          ))}
          {reasons.length > MANY && <li>{reasons.length - MANY} more cannot be removed.</li>}
        </ul>
      )}
    </>
  )
}

/** The first of some addresses whose field has choices of its own. */
function firstWithChoices(groups: Group[], addresses: Address[]): Address {
  return addresses.find((address) => fieldAt(groups, address)?.attrs?.options) ?? []
}

function isAlike(alike: Address[]): (address: Address) => boolean {
  const keys = new Set(alike.map((address) => address.join('.')))
  return (address) => keys.has(address.join('.'))
}

/** True for fields that people fill in: not for groups, notes, and calculated or hidden fields. */
function canBeRequired(item: Field): boolean {
  return 'type' in item && isQuestion(item) && !item.attrs?.calc && !item.attrs?.hidden
}
