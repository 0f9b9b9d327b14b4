import { Checkbox } from '@blueprintjs/core'
import { type ReactElement, useCallback, useMemo } from 'react'
import type { Field, FieldAttrs } from '../../contract/generated.ts'
import type { ItemLabel } from '../../contract/meta/describeAnswer.ts'
import { type ItemStatus, unavailableDefault } from '../../contract/meta/unavailableItems.ts'
import type { Literal } from '../../contract/when.ts'
import type { Address } from '../address.ts'
import { Values } from '../conditions/Values.tsx'
import { type SetAttrs, useEditorContext } from '../editorContext.ts'
import { messagesAt } from '../editorErrors.ts'
import { useItemLabels } from '../useItemLabels.ts'
import { Messages } from './Messages.tsx'

/** What a new form offers as the answer. */
export function DefaultSetting(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const { errors } = useEditorContext()
  const defaultValue = field.attrs?.default
  const save = (next: FieldAttrs['default']) => set({ default: next }, { what: 'Begins as', typing: true })
  const isMany = field.type === 'multiselect'
  const unavailable = useItemLabels(
    useCallback(
      (itemLabel: ItemLabel, itemStatus: ItemStatus) => unavailableDefault(field, itemLabel, itemStatus),
      [field],
    ),
  )
  const values = useMemo(
    () => (defaultValue === undefined ? [] : ([defaultValue].flat() as Literal[])),
    [defaultValue],
  )
  const choose = (values: Literal[]) =>
    save(isMany ? (values.length > 0 ? values : undefined) : ((values[0] ?? undefined) as string | number))
  return (
    <div className="constructor-setting">
      {field.type === 'date' ? (
        <Checkbox
          label="Begins as today"
          checked={defaultValue === 'today'}
          onChange={(event) => save(event.currentTarget.checked ? 'today' : undefined)}
        />
      ) : (
        <Values
          field={field}
          label="Begins as"
          many={isMany}
          none="Not answered"
          values={values}
          onChange={choose}
        />
      )}
      <Messages messages={[...messagesAt(errors, address, 'attrs.default'), ...unavailable]} />
    </div>
  )
}
