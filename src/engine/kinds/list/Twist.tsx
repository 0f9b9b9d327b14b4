import { Icon } from '@blueprintjs/core'
import type { Opens } from '../../../contract/generated.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import type { Row } from '../../core/results.ts'

interface Props {
  opens: Opens
  row: Row
  isOpen: boolean
  onToggle: () => void
}

/** The triangle that opens and closes what stands below a row. */
export function Twist({ opens, row, isOpen, onToggle }: Props) {
  return (
    <button
      type="button"
      className="list-twist no-print"
      aria-expanded={isOpen}
      aria-label={fillTemplate(opens.label, row)}
      onClick={onToggle}
    >
      <Icon icon={isOpen ? 'caret-down' : 'caret-right'} aria-hidden />
    </button>
  )
}
