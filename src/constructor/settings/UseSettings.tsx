import { Checkbox } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Field } from '../../contract/generated.ts'
import type { SetAttrs } from '../editorContext.ts'

const USES = [
  { key: 'report', title: 'Offer it as a list column and in reports' },
  { key: 'sensitive', title: 'Sensitive: leave it out of lists and exports' },
] as const

/** Where else the answers of a field may appear. */
export function UseSettings({ field, set }: { field: Field; set: SetAttrs }): ReactElement {
  return (
    <div className="constructor-setting">
      {USES.map(({ key, title }) => (
        <Checkbox
          key={key}
          label={title}
          checked={field.attrs?.[key] === true}
          onChange={(event) => set({ [key]: event.currentTarget.checked || undefined }, { what: 'Use' })}
        />
      ))}
    </div>
  )
}
