import { Button } from '@blueprintjs/core'
import type { CSSProperties } from 'react'
import { endsOf, pointsOf, wordsAt } from '../../../contract/scale.ts'
import { isSet } from '../../../contract/when.ts'
import { type FieldWidgetProps, fieldOf, useGroupBlur } from './widgetProps.ts'

/** A row of numbers with words at both ends; where the page is narrow, one below the other. */
export function Scale(props: FieldWidgetProps) {
  const { id, value, required, label, onChange } = props
  const onFieldBlur = useGroupBlur(props)
  const { attrs } = fieldOf(props.options)!
  const points = pointsOf(attrs)
  // An answer outside a scale that was shortened stays visible until it is changed.
  const isOutside = typeof value === 'number' && !points.includes(value)
  const visiblePoints = isOutside ? [...points, value].sort((a, b) => a - b) : points
  const { least, most } = endsOf(attrs)
  return (
    <div className="scale">
      <div className="scale-points" style={{ '--points': visiblePoints.length } as CSSProperties}>
        {visiblePoints.map((point) => {
          const words = wordsAt(attrs, point)
          return (
            <label key={point} className="preset">
              <input
                type="radio"
                id={`${id}-${point}`}
                name={id}
                aria-label={words && `${point} ${words}`}
                checked={value === point}
                onChange={() => onChange(point)}
                onBlur={onFieldBlur}
              />
              <span>
                {point}
                {words && <span className="scale-words">{words}</span>}
              </span>
            </label>
          )
        })}
        <p className="scale-ends" aria-hidden="true">
          <span>{wordsAt(attrs, least)}</span>
          <span>{wordsAt(attrs, most)}</span>
        </p>
      </div>
      {isSet(value) && !required && (
        <Button
          variant="minimal"
          size="small"
          text="Clear"
          aria-label={`Clear ${label}`}
          onClick={() => onChange(undefined)}
          onBlur={onFieldBlur}
        />
      )}
    </div>
  )
}
