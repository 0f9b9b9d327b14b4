import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Field } from '../../contract/generated.ts'
import { pluralise } from '../../contract/pluralise.ts'
import { type Fold, foldsOf, withFolds } from '../forms/foldHelpers.ts'
import type { Address } from '../state/address.ts'
import { useEditorContext } from '../state/editorContext.ts'

/** Offers to make a calculation over hidden fields with conditions one calculation by conditions; null for others. */
export function FoldOffer({ field, address }: { field: Field; address: Address }): ReactElement | null {
  const { groups, usage, edit, announce } = useEditorContext()
  if (address.length !== 2) return null
  const folds = foldsOf(groups)
  const own = folds.find(({ name }) => name === field.name)
  if (!own) return null
  const isAnswered = (name: string) => (usage[name] ?? 0) > 0
  const apply = (some: Fold[]) => {
    edit((before) => withFolds(before, some, isAnswered), { what: 'Calculated by conditions', at: address })
    announce(`${pluralise(some.length, 'calculation')} made by conditions`)
  }
  return (
    <div className="constructor-setting constructor-offer">
      <p>
        {pluralise(own.helpers.length, 'hidden field')} with a condition each stand behind this calculation.
        They can be its conditions and values.
      </p>
      <Button
        icon="merge-columns"
        text="Make it one calculation by conditions"
        onClick={() => apply([own])}
      />
      {folds.length > 1 && (
        <Button
          variant="minimal"
          text={`Do so for all ${folds.length} in this form`}
          onClick={() => apply(folds)}
        />
      )}
    </div>
  )
}
