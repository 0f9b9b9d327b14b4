import { Button, Radio } from '@blueprintjs/core'
import { type CSSProperties, type ReactNode, useRef } from 'react'
import type { Field, GroupAttrs, Option } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { matrixColumns } from '../../../contract/matrix.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { type FieldWidgetProps, fieldOf, useGroupBlur } from './widgetProps.ts'

/** The columns of a group with the matrix layout; the same array until one of them changes. */
export function useMatrixColumns(
  layout: GroupAttrs['layout'],
  fields: Field[],
  values: Values,
): Option[] | undefined {
  const last = useRef<Option[]>(undefined)
  const columns = layout === 'matrix' ? matrixColumns(fields, values) : undefined
  if (!isEqual(columns, last.current)) last.current = columns
  return last.current
}

/**
 * Fields with the same choices as a table, each a row of radio buttons. For screen readers, and on narrow pages, it is
 * a list of radio groups.
 */
export function Matrix({ columns, children }: { columns: Option[]; children: ReactNode }) {
  return (
    <div className="matrix">
      <div className="matrix-rows" style={{ '--columns': columns.length } as CSSProperties}>
        <div className="matrix-head" aria-hidden="true">
          <span />
          {columns.map(({ value, label }) => (
            <span key={value}>{label}</span>
          ))}
        </div>
        {children}
      </div>
    </div>
  )
}

/** The radio buttons of one field, in the columns of its table. */
export function MatrixRow(props: FieldWidgetProps & { columns: Option[] }) {
  const { id, value, required, columns, onChange } = props
  const onFieldBlur = useGroupBlur(props)
  const field = fieldOf(props.options)!
  return (
    <>
      {columns.map((option) =>
        option.active === false && option.value !== value ? (
          <span key={option.value} className="matrix-none" />
        ) : (
          <Radio
            key={option.value}
            id={`${id}-${option.value}`}
            name={id}
            labelElement={<span>{option.label}</span>}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
            onBlur={onFieldBlur}
          />
        ),
      )}
      {isSet(value) && !required && (
        <Button
          className="matrix-clear"
          variant="minimal"
          size="small"
          text="Clear"
          aria-label={`Clear ${field.label}`}
          onClick={() => onChange(undefined)}
          onBlur={onFieldBlur}
        />
      )}
    </>
  )
}
