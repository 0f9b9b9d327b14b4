type Schema = Record<string, unknown>

/**
 * Bundles several schemas into one, so that each titled definition becomes one type, which places refer to with a
 * description of their own. A definition without a title is copied into each place that refers to it.
 */
export function bundleMetas(metas: Record<string, Schema>, roots: string[]): Schema {
  const found: Record<string, Schema> = {}
  for (const [name, { $id: _, $defs, ...schema }] of Object.entries(metas)) {
    found[name] = schema
    for (const [key, definition] of Object.entries(($defs ?? {}) as Record<string, Schema>))
      found[`${name}.${key}`] = definition
  }

  const resolved = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolved(name, item))
    if (value === null || typeof value !== 'object') return value
    const { $ref, ...siblings } = value as Schema
    if (siblings.tsType) return { description: siblings.description, tsType: siblings.tsType }
    const others = Object.fromEntries(
      Object.entries(siblings).map(([key, one]) => [key, resolved(name, one)]),
    )
    if (typeof $ref !== 'string') return others
    const target = targetOf(name, $ref)
    if (!found[target].title) return { ...copyOf(target), ...others }
    const reference = { $ref: `#/$defs/${target}` }
    return others.description ? { description: others.description, allOf: [reference] } : reference
  }

  const copies = new Map<string, Schema>()
  const copyOf = (target: string): Schema => {
    const copy = copies.get(target) ?? (resolved(metaOf(target), found[target]) as Schema)
    copies.set(target, copy)
    return copy
  }

  const titled = Object.entries(found).filter(([, { title }]) => title)
  return {
    title: 'Everything',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(roots.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    $defs: Object.fromEntries(titled.map(([name, schema]) => [name, resolved(metaOf(name), schema)])),
  }
}

/** Name of the definition that a reference in a meta is to: 'names.json#/$defs/field' is names.field. */
function targetOf(meta: string, reference: string): string {
  const [file, definition] = reference.split('#/$defs/')
  return [file ? file.replace('.json', '') : meta, definition].filter(Boolean).join('.')
}

function metaOf(name: string): string {
  return name.split('.')[0]
}
