import { visible } from '../../contract/visible.ts'
import type { Scope, Values } from '../../contract/when.ts'
import { ReadList } from './ReadList.tsx'
import type { FormSection } from './sections.ts'
import { slicesOf } from './slices.ts'

interface Props {
  sections: FormSection[]
  document: Values
  scope: Scope
}

/** A document shown, not asked: what a form of these sections would draw, as labels and values. */
export function ReadView({ sections, document, scope }: Props) {
  return (
    <div className="form">
      {slicesOf(sections, document, scope).flatMap((slice) =>
        visible(slice.groups, slice.scope).map((group) => (
          <section className="form-section" key={group.name}>
            {group.label && <h2>{group.label}</h2>}
            <ReadList fields={group.fields} values={slice.scope.answers ?? {}} scope={slice.scope} />
          </section>
        )),
      )}
    </div>
  )
}
