import type { Field, Group } from '../generated.ts'

/** A field of a form with the repeats around it, the outermost first, and the rows of these in its path. */
interface FoundField {
  group: Group
  repeats: { repeat: Field; row?: string }[]
  field: Field
}

/** Finds a field by a path as in `whyField`; undefined if there is none. */
export function findField(groups: Group[], name: string): FoundField | undefined {
  const [head, ...rest] = name.split('.')
  const group = groups.find((g) => g.fields.some((f) => f.name === head))
  let field = group?.fields.find((f) => f.name === head)
  const repeats: FoundField['repeats'] = []
  while (field && rest.length > 0) {
    const row = /^\d+$/.test(rest[0]) ? rest.shift() : undefined
    const column = rest.shift()
    repeats.push({ repeat: field, row })
    field = field.fields?.find((c) => c.name === column)
  }
  return group && field && { group, repeats, field }
}
