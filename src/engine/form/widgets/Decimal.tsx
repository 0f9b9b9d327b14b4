import { decimalFormatOf } from '../../../contract/decimal.ts'
import { symbolOf } from '../../../contract/decimalFormat.ts'
import { useDebouncedText } from './debouncedText.ts'
import { controlProps, type FieldWidgetProps, fieldOf, inputClass } from './widgetProps.ts'

/** A decimal number with its unit after the input; of money, the currency symbol is before it. */
export function Decimal(props: FieldWidgetProps) {
  const field = fieldOf(props.options)!
  const { box, boxProps } = useDebouncedText(props)
  const { 'aria-describedby': about, ...control } = controlProps(props)
  const { currency, unit } = decimalFormatOf(field)!
  const sign = currency ? symbolOf(currency) : unit
  const signId = `${props.id}-unit`
  const signText = sign && (
    <span className="unit" id={signId}>
      {sign}
    </span>
  )
  return (
    <div className="amount">
      {currency && signText}
      <input
        type="text"
        inputMode="decimal"
        className={inputClass(props)}
        {...control}
        aria-describedby={[about, sign && signId].filter(Boolean).join(' ') || undefined}
        {...boxProps}
        ref={box}
      />
      {!currency && signText}
    </div>
  )
}
