import { Button } from '@blueprintjs/core'
import { memo, type ReactElement, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { MetaName } from '../contract/metaCheck.ts'
import type { Group } from '../contract/types.ts'
import { visible } from '../contract/visible.ts'
import type { Scope, Values } from '../contract/when.ts'
import { type FormHandle, FormView } from '../engine/form/FormView.tsx'
import { useUser } from '../engine/user.ts'
import { useMark } from './useMark.ts'
import { useSampleDefaults } from './useSampleDefaults.ts'

interface Props {
  meta: MetaName
  groups: Group[]
  /** Of the case that the sample stands for. */
  service: number
  hidden: boolean
  /** Names of the group and the field that are being changed. */
  group?: string
  field?: string
}

const NOTHING: Values = {}

/** The form as staff get it, drawn by the same renderer; what is typed here stays through every change and goes nowhere. */
export const PreviewPane = memo(function PreviewPane(props: Props): ReactElement {
  const { meta, groups, service, hidden, group, field } = props
  const user = useUser()
  const pane = useRef<HTMLElement>(null)
  const form = useRef<FormHandle>(null)
  const shown = useDeferredValue(groups)
  const [sample, setSample] = useState(NOTHING)
  const sections = useMemo(() => [{ key: meta, at: 'answers', groups: shown }], [meta, shown])
  const scope = useMemo<Scope>(() => ({ user, with: { case: { service }, client: {} } }), [user, service])
  const prefix = `sample-${meta}`
  useSampleDefaults(form, sections)
  useMark(pane, field ? `${prefix}.answers.${field}` : group && `${prefix}-${meta}-${group}`, shown)

  const answers = sample.answers as Values | undefined
  const drawn = useMemo(() => visible(shown, { ...scope, answers }), [shown, scope, answers])
  const chosen = shown.flatMap((g) => g.fields).find((f) => f.name === field)
  const isHidden = chosen && !drawn.some((g) => g.fields.includes(chosen))
  return (
    <section
      className="constructor-pane constructor-preview"
      aria-labelledby={prefix}
      hidden={hidden}
      data-own-text=""
      ref={pane}
    >
      <div className="constructor-top">
        <div className="constructor-buttons">
          <h2 id={prefix}>Preview</h2>
          <Button size="small" text="Check sample answers" onClick={() => form.current?.submit()} />
        </div>
        <p className="constructor-hint">As staff see it. Sample answers are not saved.</p>
        {isHidden && (
          <p className="constructor-note">{chosen.label} is not shown with these sample answers.</p>
        )}
      </div>
      <FormView
        ref={form}
        sections={sections}
        initial={NOTHING}
        scope={scope}
        idPrefix={prefix}
        onChange={setSample}
      />
    </section>
  )
})
