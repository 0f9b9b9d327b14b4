import type { Field } from '../../contract/generated.ts'
import { pathsOf } from '../../contract/when.ts'
import type { FormSection } from './sections.ts'

/** Every word of the paths that conditions and lookups of a form look at: what others wait for to be answered. */
export function dependenciesOf(sections: FormSection[]): Set<string> {
  const groups = sections.flatMap((s) => s.groups)
  const paths = [...sections, ...groups.map((g) => g.attrs ?? {})].flatMap(({ when }) => pathsOf(when))
  const all = [...paths, ...groups.flatMap((g) => g.fields).flatMap(pathsOfField)]
  return new Set(all.flatMap((path) => path.split('.')))
}

function pathsOfField({ attrs, fields = [] }: Field): string[] {
  const lookups = Object.values(attrs?.lookup_params ?? {}).filter((v) => String(v).startsWith('$'))
  return [
    ...pathsOf(attrs?.when),
    ...pathsOf(attrs?.required_when),
    ...lookups.map((v) => String(v).slice(1)),
    ...fields.flatMap(pathsOfField),
  ]
}
