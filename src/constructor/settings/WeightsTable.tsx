import { Button, Classes, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactElement, useRef, useState } from 'react'
import { offeredOptions } from '../../contract/fieldTypes.ts'
import type { Field, Option } from '../../contract/generated.ts'
import { Dialog } from '../../engine/core/Dialog.tsx'
import { ScrollRegion } from '../../engine/core/ScrollRegion.tsx'
import { Messages } from '../controls/Messages.tsx'
import { type Address, fieldAt } from '../state/address.ts'
import { useEditorContext } from '../state/editorContext.ts'
import { type Weights, weightKey, withWeights } from './sameChoices.ts'

interface Props {
  /** Questions that offer the same choices. */
  addresses: Address[]
  onClose: () => void
}

/** Table of the weights of several questions with the same choices; a number in its first row is that of all. */
export default function WeightsTable({ addresses, onClose }: Props): ReactElement {
  const { groups, edit, announce } = useEditorContext()
  const table = useRef<HTMLTableElement>(null)
  const [weights, setWeights] = useState<Weights>(new Map())
  const [problem, setProblem] = useState('')
  const fields = addresses.map((address) => ({ address, field: fieldAt(groups, address) as Field }))
  const choices = offeredOptions(fields[0].field)
  const weightOf = (address: Address, field: Field, choice: Option) => {
    const own = field.attrs?.options?.find(({ value }) => value === choice.value)
    return weights.get(weightKey(address, choice)) ?? String(own?.weight ?? '')
  }
  const change = (some: Address[], choice: Option, text: string) =>
    setWeights(
      (before) => new Map([...before, ...some.map((one) => [weightKey(one, choice), text] as const)]),
    )
  const shared = (choice: Option) => {
    const all = new Set(fields.map(({ address, field }) => weightOf(address, field, choice)))
    return all.size === 1 ? [...all][0] : ''
  }
  const apply = () => {
    if ([...weights.values()].some((text) => !Number.isFinite(Number(text))))
      return setProblem('A weight is a number, such as 1 or -0.5')
    edit((before) => withWeights(before, addresses, weights), { what: 'Weights', at: addresses[0] })
    announce(`Weights of ${addresses.length} questions`)
    onClose()
  }
  return (
    <Dialog
      isOpen
      className="dialog constructor-option-table constructor-weights"
      title={`Weights of ${addresses.length} questions`}
      canOutsideClickClose={weights.size === 0}
      onClose={onClose}
      onOpened={() => table.current?.querySelector('input')?.focus()}
    >
      <DialogBody useOverflowScrollContainer={false}>
        <p className="constructor-hint" id="weights-hint">
          What each choice adds to a score. A number in the first row is entered for all questions.
        </p>
        <ScrollRegion label="Weights" className="constructor-option-scroll">
          <table ref={table} aria-describedby="weights-hint">
            <thead>
              <tr>
                <th scope="col">Question</th>
                {choices.map(({ value, label }) => (
                  <th key={String(value)} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">All of them</th>
                {choices.map((choice) => (
                  <WeightCell
                    key={String(choice.value)}
                    label={`${choice.label}, all questions`}
                    value={shared(choice)}
                    onChange={(text) => change(addresses, choice, text)}
                  />
                ))}
              </tr>
              {fields.map(({ address, field }) => (
                <tr key={address.join('.')}>
                  <th scope="row">{field.label}</th>
                  {choices.map((choice) => (
                    <WeightCell
                      key={String(choice.value)}
                      label={`${choice.label}, ${field.label}`}
                      value={weightOf(address, field, choice)}
                      onChange={(text) => change([address], choice, text)}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
        <Messages messages={problem ? [problem] : []} />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button text="Apply" intent="primary" onClick={apply} />
          </>
        }
      />
    </Dialog>
  )
}

interface CellProps {
  label: string
  value: string
  onChange: (text: string) => void
}

function WeightCell({ label, value, onChange }: CellProps): ReactElement {
  return (
    <td>
      <input
        className={Classes.INPUT}
        data-column="weight"
        // Not part of the draft yet, so Ctrl+Z is the browser's own undo.
        data-own-text=""
        inputMode="decimal"
        autoComplete="off"
        aria-label={`Weight of ${label}`}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </td>
  )
}
