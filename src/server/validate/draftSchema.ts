/** What a draft that is not finished need not keep to. */
const FINISHED = ['minLength', 'minItems', 'minProperties', 'pattern', 'enum']
const LONGEST = 200

/**
 * A meta-schema for drafts: structure, known keys and bounds stay, but texts, lists and conditions may be empty or half
 * written and a list still to be chosen. Types and the names of groups and fields, which nobody types, stay as they are.
 */
export function draftSchema(schema: object): object {
  const draft = relaxed(schema) as { $defs?: object }
  const { name, fieldType } = ('$defs' in schema ? schema.$defs : {}) as Record<string, object>
  const kept = { ...(name && { name }), ...(fieldType && { fieldType }) }
  return { ...draft, ...(draft.$defs && { $defs: { ...draft.$defs, ...kept } }) }
}

function relaxed(at: unknown): unknown {
  if (Array.isArray(at)) return at.map(relaxed)
  if (at === null || typeof at !== 'object') return at
  const entries = Object.entries(at).filter(([key]) => !FINISHED.includes(key))
  const bound = 'pattern' in at || 'enum' in at ? { maxLength: LONGEST } : {}
  return { ...bound, ...Object.fromEntries(entries.map(([key, value]) => [key, relaxed(value)])) }
}
