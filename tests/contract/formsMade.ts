import type { Field, FieldAttrs, Group } from '../../src/contract/generated.ts'
import type { When } from '../../src/contract/when.ts'
import type { Random } from '../../src/server/ops/demo/random.ts'
import { choice, field, group, repeat, yesno } from './metaBuilders.ts'

const VALUES = ['yes', 'no', 'a', 'b']

/** Generates a form of a few groups whose conditions refer to any of its fields, also in chains and cycles. */
export function formMade(random: Random): Group[] {
  const names = Array.from({ length: random.between(4, 14) }, (_, i) => `f${i}`)
  const fields = names.map((name) => fieldMade(name, names, random))
  const count = random.between(1, 3)
  return Array.from({ length: count }, (_, g) => {
    const own = fields.filter((_, i) => i % count === g)
    return group(`g${g}`, own, random.chance(0.2) ? { when: conditionOn(names, random) } : {})
  })
}

/**
 * Changes a form as an administrator might before publishing: items switched on or off, removed or moved, or conditions
 * changed.
 */
export function republished(groups: Group[], random: Random): Group[] {
  const names = groups.flatMap((g) => g.fields.map((f) => f.name))
  const changed = groups.map((g) => ({
    ...g,
    ...(random.chance(0.1) && { attrs: attrsChanged(g.attrs ?? {}, names, random) }),
    fields: g.fields
      .filter(() => !random.chance(0.03))
      .map((f) => (random.chance(0.25) ? fieldChanged(f, names, random) : f)),
  }))
  if (random.chance(0.2)) changed.push(...changed.splice(0, 1))
  return changed
}

function fieldMade(name: string, others: string[], random: Random): Field {
  const attrs: FieldAttrs = random.chance(0.4) ? { when: conditionOn(others, random) } : {}
  const kind = random.between(0, 4)
  if (kind === 0) return choice(name, ['a', 'b'], attrs)
  if (kind === 1) return choice(name, ['a', 'b'], attrs, 'multiselect')
  if (kind === 2) return field(name, 'text', attrs)
  if (kind === 3) return yesno(name, attrs)
  const own = ['c0', 'c1', 'c2']
  const columns = own.map((column) => columnMade(column, [...own, ...others], random))
  if (random.chance(0.4)) columns.push(rowsMade([...own, ...others], random))
  return repeat(name, columns, attrs)
}

function columnMade(name: string, others: string[], random: Random): Field {
  return random.chance(0.5) ? yesno(name, attrsMade(others, random)) : field(name)
}

/** Generates a repeat inside the rows of another one. */
function rowsMade(around: string[], random: Random): Field {
  const own = ['d0', 'd1']
  const columns = own.map((column) => columnMade(column, [...own, ...around], random))
  return repeat('rows', columns, { max: 4, ...attrsMade(around, random) })
}

function attrsMade(names: string[], random: Random): FieldAttrs {
  return random.chance(0.5) ? { when: conditionOn(names, random) } : {}
}

function fieldChanged(one: Field, names: string[], random: Random): Field {
  const { fields, attrs = {} } = one
  if (!fields || random.chance(0.5)) return { ...one, attrs: attrsChanged(attrs, names, random) }
  const own = fields.map((f) => f.name)
  return { ...one, fields: fields.map((f) => fieldChanged(f, [...own, ...names], random)) }
}

function attrsChanged<Attrs extends Group['attrs'] & object>(
  attrs: Attrs,
  names: string[],
  random: Random,
): Attrs {
  const change = random.between(0, 2)
  if (change === 0) return { ...attrs, is_on: attrs.is_on === false }
  if (change === 1) return { ...attrs, when: conditionOn(names, random) }
  const { when: _, ...rest } = attrs
  return rest as Attrs
}

function conditionOn(names: string[], random: Random): When {
  const value = random.pick(VALUES)
  return { [random.pick(names)]: random.pick([value, { not: value }, { set: true }, { set: false }]) }
}
