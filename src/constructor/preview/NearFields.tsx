import type { ReactElement } from 'react'
import { pluralise } from '../../contract/pluralise.ts'
import type { FieldsFrameProps } from '../../engine/form/store/formContext.ts'
import { useNear } from '../controls/useNear.ts'

/** About the height of a question with a control of one line. */
const QUESTION = 84

/**
 * Part of a large form in the preview, rendered once it is near the visible area. The ids of controls that are not
 * rendered are kept, so that links find them.
 */
export function NearFields({ ids, isWrong, children }: FieldsFrameProps): ReactElement {
  const { ref, isNear, height } = useNear(ids.length * QUESTION)
  if (isNear || isWrong)
    return (
      <div ref={ref} className="near-fields">
        {children}
      </div>
    )
  return (
    <div ref={ref} className="near-fields" data-unrendered="" style={{ height }}>
      <p className="visually-hidden">{pluralise(ids.length, 'question')} further on</p>
      {ids.map((id) => (
        <span key={id} id={id} hidden />
      ))}
    </div>
  )
}
