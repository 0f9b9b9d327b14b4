import { visible } from '../../contract/visible.ts'
import type { ConditionContext, Values } from '../../contract/when.ts'
import { ReadList } from './ReadList.tsx'
import type { FormSection } from './sections.ts'
import { slicesOf } from './slices.ts'

interface Props {
  sections: FormSection[]
  document: Values
  conditionContext: ConditionContext
  /** Of the groups' headings; omitted: 2. */
  level?: 2 | 3
}

/** A document shown, not asked: what a form of these sections would draw, as labels and values. */
export function ReadView({ sections, document, conditionContext, level = 2 }: Props) {
  const Label = level === 2 ? 'h2' : 'h3'
  return (
    <div className="form">
      {slicesOf(sections, document, conditionContext).flatMap((slice) =>
        visible(slice.groups, slice.conditionContext).map((group) => (
          <section className="form-section" key={group.name}>
            {group.label && <Label>{group.label}</Label>}
            <ReadList
              fields={group.fields}
              values={slice.conditionContext.answers ?? {}}
              conditionContext={slice.conditionContext}
            />
          </section>
        )),
      )}
    </div>
  )
}
