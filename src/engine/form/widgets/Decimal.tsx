import { symbolOf } from '../../../contract/decimal.ts'
import { useDebouncedText } from './debouncedText.ts'
import { controlProps, type FieldWidgetProps, fieldOf, inputClass } from './widgetProps.ts'

/** A decimal number with its unit after the input; of money, the currency symbol is before it. */
export function Decimal(props: FieldWidgetProps) {
  const field = fieldOf(props.options)!
  const { box, boxProps } = useDebouncedText(props)
  const { 'aria-describedby': about, ...control } = controlProps(props)
  const isMoney = field.type === 'money'
  const sign = isMoney ? symbolOf(field.attrs) : field.attrs?.unit
  const signId = `${props.id}-unit`
  const signText = sign && (
    <span className="unit" id={signId}>
      {sign}
    </span>
  )
  return (
    <div className="amount">
      {isMoney && signText}
      <input
        type="text"
        inputMode="decimal"
        className={inputClass(props)}
        {...control}
        aria-describedby={[about, sign && signId].filter(Boolean).join(' ') || undefined}
        {...boxProps}
        ref={box}
      />
      {!isMoney && signText}
    </div>
  )
}
