import type { Field } from '../../contract/generated.ts'
import { join } from './paths.ts'
import type { FormSection } from './sections.ts'

/** The field whose value stands at a path of the document; one that the form does not have is shown as plain text. */
export function fieldAt(sections: FormSection[], path: string): Field {
  for (const { at, groups } of sections) {
    const field = groups.flatMap((g) => g.fields).find((f) => join(at, f.name) === path)
    if (field) return field
  }
  const name = path.split('.').at(-1)!
  return { name, label: name.replaceAll('_', ' '), type: 'text' }
}
