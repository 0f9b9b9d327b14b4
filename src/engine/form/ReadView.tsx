import { visible } from '../../contract/visible.ts'
import type { Scope, Values } from '../../contract/when.ts'
import { ReadList } from './ReadList.tsx'
import type { FormSection } from './sections.ts'
import { slicesOf } from './slices.ts'

interface Props {
  sections: FormSection[]
  document: Values
  scope: Scope
  /** Of the groups' headings; omitted: 2. */
  level?: 2 | 3
}

/** A document shown, not asked: what a form of these sections would draw, as labels and values. */
export function ReadView({ sections, document, scope, level = 2 }: Props) {
  const Label = level === 2 ? 'h2' : 'h3'
  return (
    <div className="form">
      {slicesOf(sections, document, scope).flatMap((slice) =>
        visible(slice.groups, slice.scope).map((group) => (
          <section className="form-section" key={group.name}>
            {group.label && <Label>{group.label}</Label>}
            <ReadList fields={group.fields} values={slice.scope.answers ?? {}} scope={slice.scope} />
          </section>
        )),
      )}
    </div>
  )
}
