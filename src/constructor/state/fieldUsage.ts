import type { Field, FieldType } from '../../contract/generated.ts'
import { RESERVED, whyNotRemovable, whyTypeFixed } from '../../contract/meta/fieldUsage.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { type Address, fieldAt, itemAt, seek } from './address.ts'
import type { EditorContextValue } from './editorContext.ts'

type FieldUsageContext = Pick<EditorContextValue, 'meta' | 'groups' | 'before' | 'usage'>
type Why = (meta: MetaName, field: Field, count: number) => string | undefined

/** The published version of the field at an address, even if it was in another group; undefined if it is new. */
function publishedAt({ before }: FieldUsageContext, address: Address): Field | undefined {
  const there = seek(before, address)
  return there && fieldAt(before, there)
}

/** Number of records that answer the field at an address; a column counts with its repeat. */
export function answersAt(context: FieldUsageContext, address: Address): number {
  const { usage } = context
  return publishedAt(context, address) && Object.hasOwn(usage, address[1]) ? usage[address[1]] : 0
}

/** Reason why the group, field or column at an address cannot be removed; undefined if it can. */
export function whyNotRemovableAt(context: FieldUsageContext, address: Address): string | undefined {
  if (address.length > 1) return reasonAt(context, address, whyNotRemovable)
  const group = itemAt(context.groups, address)
  const reasons =
    group?.fields?.flatMap((f) => reasonAt(context, [...address, f.name], whyNotRemovable) ?? []) ?? []
  return reasons[0]
}

/** Reason why the type of the field at an address cannot change; undefined if it can. */
export function whyTypeFixedAt(context: FieldUsageContext, address: Address): string | undefined {
  return reasonAt(context, address, whyTypeFixed)
}

/**
 * Names that a new field may not take: answers are or were stored under them, or lists read them as a type other than
 * `type`.
 */
export function reservedNames(
  { meta, before, usage }: Omit<FieldUsageContext, 'groups'>,
  type?: FieldType,
): string[] {
  const reserved = Object.entries(RESERVED[meta]).filter(([, must]) => must !== type)
  const published = before.flatMap((g) => g.fields.map((f) => f.name))
  return [...reserved.map(([name]) => name), ...published, ...Object.keys(usage)]
}

function reasonAt(context: FieldUsageContext, address: Address, reasonOf: Why): string | undefined {
  const field = fieldAt(context.groups, address)
  const count = answersAt(context, address)
  const isColumn = address.length > 2
  if (!field || !publishedAt(context, address) || (isColumn && count === 0)) return undefined
  return reasonOf(context.meta, field, count)
}
