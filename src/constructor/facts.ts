import { RESERVED, whyKept, whyTyped } from '../contract/meta/answered.ts'
import type { MetaName } from '../contract/meta/check.ts'
import type { Field, FieldType } from '../contract/types.ts'
import { type Address, fieldAt, itemAt, seek } from './address.ts'
import type { Bench } from './bench.ts'

type About = Pick<Bench, 'meta' | 'groups' | 'before' | 'usage'>
type Why = (meta: MetaName, field: Field, count: number) => string | undefined

/** The field at an address as it is published, wherever it stood then; undefined where it is new. */
function publishedAt({ before }: About, address: Address): Field | undefined {
  const there = seek(before, address)
  return there && fieldAt(before, there)
}

/** How many records answer the field at an address; a column counts with its repeat. */
export function answersAt(about: About, address: Address): number {
  const { usage } = about
  return publishedAt(about, address) && Object.hasOwn(usage, address[1]) ? usage[address[1]] : 0
}

/** Why the group, field or column at an address cannot be removed, or undefined where it can. */
export function whyKeptAt(about: About, address: Address): string | undefined {
  if (address.length > 1) return whyAt(about, address, whyKept)
  const group = itemAt(about.groups, address)
  const reasons = group?.fields?.flatMap((f) => whyAt(about, [...address, f.name], whyKept) ?? []) ?? []
  return reasons[0]
}

/** Why the type of the field at an address cannot change, or undefined where it can. */
export function whyTypedAt(about: About, address: Address): string | undefined {
  return whyAt(about, address, whyTyped)
}

/** Names that a new field may not take: answers are or were stored under them, or lists read them as another type. */
export function keptNames({ meta, before, usage }: About, type: FieldType): string[] {
  const reserved = Object.entries(RESERVED[meta]).filter(([, must]) => must !== type)
  const published = before.flatMap((g) => g.fields.map((f) => f.name))
  return [...reserved.map(([name]) => name), ...published, ...Object.keys(usage)]
}

function whyAt(about: About, address: Address, why: Why): string | undefined {
  const field = fieldAt(about.groups, address)
  const count = answersAt(about, address)
  const isColumn = address.length > 2
  if (!field || !publishedAt(about, address) || (isColumn && count === 0)) return undefined
  return why(about.meta, field, count)
}
