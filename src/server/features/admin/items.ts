import { sql } from 'kysely'
import { choiceKey, textKey } from '../../../contract/compareKey.ts'
import type { Entity, Property } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { type RecordStatus, STATUS } from '../../../contract/status.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { refuseStale } from '../../access/stepUp.ts'
import type { Call } from '../../core/call.ts'
import { openidProviders } from '../../core/openidProviders.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { type Changes, writeAuditEvent } from '../../records/audit/audit.ts'
import { refuseWrongParent } from '../../records/lookups/parentLists.ts'
import { refuseGroupCode } from './groupCodes.ts'

/** A row of the table lookup. */
interface Stored {
  kind: string
  value: number
  version: number
  label: string
  attrs: Values
  active: boolean
  position: number
}
/** An item in the shape of its form: what all lists have, and the properties of its own list. */
export interface ListItem {
  id: number
  version: number
  label: string
  status: RecordStatus
  /** Its place in the list, counted from 1. */
  order: number
  [own: string]: unknown
}
const COMMON_PROPERTIES = ['id', 'version', 'label', 'status', 'order']

export function itemFrom(
  model: Entity,
  { value, version, label, attrs, active, position }: Stored,
): ListItem {
  const own = ownOf(model).map(([name, property]) => [name, fromStored(property, attrs[name])])
  return {
    id: value,
    version,
    label,
    status: active ? STATUS.active : STATUS.retired,
    order: position + 1,
    ...Object.fromEntries(own),
  }
}

/** Properties that only this list has. */
export function ownOf(model: Entity): [string, Property][] {
  return Object.entries(model.properties).filter(([name]) => !COMMON_PROPERTIES.includes(name))
}

/** Locks all lists until the end of the transaction, so that ids and positions are assigned by one caller at a time. */
export async function lockItems({ db }: Call): Promise<void> {
  await sql`lock table lookup in share row exclusive mode`.execute(db)
}

/** All items of a list in their order, including retired ones. */
export async function allItems({ db }: Pick<Call, 'db'>, kind: string, model: Entity): Promise<ListItem[]> {
  const { rows } = await sql<Stored>`select * from lookup where kind = ${kind}
    order by position, value`.execute(db)
  return rows.map((row) => itemFrom(model, row))
}

/** One item; throws a 404 if it does not exist. */
export async function itemAt({ db }: Call, kind: string, model: Entity, id: unknown): Promise<ListItem> {
  const { rows } = await sql<Stored>`select * from lookup where kind = ${kind} and value = ${id}`.execute(db)
  if (!rows[0]) throw problem('notFound')
  return itemFrom(model, rows[0])
}

/** Adds an item with the next id, in last place unless it has an `order`; returns the id. */
export async function addItem(call: Call, kind: string, model: Entity, values: Values): Promise<number> {
  const { rows } = await sql<{ value: number; position: number }>`select
    coalesce(max(value), 0) + 1 as value, coalesce(max(position), -1) + 1 as position
    from lookup where kind = ${kind}`.execute(call.db)
  const [{ value, position }] = rows
  const item = {
    status: STATUS.active,
    ...values,
    order: values.order ?? position + 1,
    id: value,
    version: 1,
  } as ListItem
  await refuseWrongParent(call, kind, model, { item })
  await refuseDuplicate(call, kind, model, item)
  await refuseGroupCode(call, kind, { item })
  await store(call, kind, model, item)
  await writeAuditEvent(call, { action: 'create', entity: model.$id, record: value, version: 1 })
  return value
}

/** Changes an item with an audit event; returns false if nothing changed. */
export async function changeItem(
  call: Call,
  kind: string,
  model: Entity,
  { before, values }: { before: ListItem; values: Values },
): Promise<boolean> {
  const changes: Changes = {}
  for (const [name, to] of Object.entries(values))
    if (!isEqual(blank(before[name]), blank(to))) changes[name] = { from: before[name] ?? null, to }
  const names = Object.keys(changes)
  if (names.length === 0) return false
  const version = before.version + 1
  const item: ListItem = { ...before, ...values, version }
  await refuseWrongParent(call, kind, model, { before, item })
  if (names.some((name) => name !== 'order')) await refuseDuplicate(call, kind, model, item)
  await refuseGroupCode(call, kind, { before, item })
  await store(call, kind, model, item)
  await writeAuditEvent(call, {
    action: 'update',
    entity: model.$id,
    record: before.id,
    version,
    changes,
  })
  return true
}

/** Sorts the items of a list by `ids`; items that are not in `ids` follow in their present order. */
export async function orderItems(call: Call, kind: string, ids: number[]): Promise<void> {
  const { db } = call
  // The first group of sign-on with a hub decides a person's hub, so a new order needs a recent proof too.
  await refuseUnproved(call, kind)
  await sql`update lookup l set position = placed.position
    from (
      select value, row_number() over (order by array_position(${ids}::int[], value), position, value) - 1 as position
      from lookup where kind = ${kind}
    ) placed where l.kind = ${kind} and l.value = placed.value`.execute(db)
}

/** Moves an item to a place in its list, counted from 1. */
export async function placeItem(call: Call, kind: string, id: number, place: number): Promise<void> {
  const { rows } = await sql<{
    value: number
  }>`select value from lookup where kind = ${kind} and value <> ${id}
    order by position, value`.execute(call.db)
  const others = rows.map(({ value }) => value)
  await orderItems(call, kind, others.toSpliced(place - 1, 0, id))
}

/** Lists whose items give roles: a change of one needs a recent proof of who the person is. */
const GIVING_ROLES = ['sign_on_group']

/** Refuses a group of a provider that the settings do not have, which would give nobody its role. */
function refuseUnknownProvider({ settings }: Call, kind: string, { provider }: ListItem): void {
  const known = openidProviders(settings.OPENID_PROVIDERS).map(({ id }) => id)
  if (kind !== 'sign_on_group' || !isSet(provider) || known.length === 0) return
  if (!known.includes(String(provider).trim()))
    throw fieldProblem({ provider: [`There is no provider of this id, only ${known.join(', ')}`] })
}

async function refuseUnproved(call: Call, kind: string): Promise<void> {
  if (GIVING_ROLES.includes(kind)) await refuseStale(call)
}

/** Inserts or updates an item; attributes that its list does not define are preserved. */
async function store(call: Call, kind: string, model: Entity, item: ListItem): Promise<void> {
  const { db } = call
  await refuseUnproved(call, kind)
  refuseUnknownProvider(call, kind, item)
  const position = Math.max(0, (item.order ?? 1) - 1)
  const own = JSON.stringify(attrsOf(model, item))
  const names = ownOf(model).map(([name]) => name)
  await sql`insert into lookup as l (kind, value, version, label, attrs, active, position)
    values (${kind}, ${item.id}, ${item.version}, ${labelOf(item)}, ${own}::jsonb, ${isActive(item)}, ${position})
    on conflict (kind, value) do update set version = excluded.version, label = excluded.label,
      attrs = (l.attrs - ${names}::text[]) || excluded.attrs, active = excluded.active, position = excluded.position`.execute(
    db,
  )
}

/** Maximum number of items whose labels differ only in their dashes. */
const MAX_ALIKE = 100

/** Refuses an item that people could not distinguish from another; `duplicate` of the error is the other's id. */
async function refuseDuplicate({ db }: Call, kind: string, model: Entity, item: ListItem): Promise<void> {
  if (!isActive(item)) return
  const { rows } = await sql<{
    value: number
    label: string
  }>`select value, label from lookup where kind = ${kind} and active
    and value <> ${item.id} and text_key(label) = ${textKey(labelOf(item))}
    and attrs = ${JSON.stringify(attrsOf(model, item))}::jsonb order by value limit ${MAX_ALIKE}`.execute(db)
  const key = choiceKey(labelOf(item))
  const duplicate = rows.find(({ label }) => choiceKey(label) === key)?.value
  if (duplicate === undefined) return
  throw Object.assign(fieldProblem({ label: [`There is already one like this: ID ${duplicate}`] }), {
    duplicate,
  })
}

/** The attributes of an item, without empty ones: a filter matches items that lack its attribute. */
function attrsOf(model: Entity, item: ListItem): Values {
  const own = ownOf(model).map(([name, property]) => [name, toStored(property, item[name])] as const)
  return Object.fromEntries(own.filter(([, value]) => isSet(value)))
}

function labelOf(item: ListItem): string {
  return item.label.trim()
}

function isActive(item: ListItem): boolean {
  return item.status !== STATUS.retired
}

const YES_NO = new Map<unknown, unknown>([
  [true, 'yes'],
  [false, 'no'],
])

function fromStored({ type }: Property, value: unknown): unknown {
  const types = [type].flat()
  if (types.includes('array')) return Array.isArray(value) ? value : []
  return types.includes('boolean') ? (YES_NO.get(value) ?? null) : (value ?? null)
}

function toStored({ type }: Property, value: unknown): unknown {
  if (![type].flat().includes('boolean')) return value
  return value === 'yes' ? true : value === 'no' ? false : undefined
}

function blank(value: unknown): unknown {
  return isSet(value) ? value : null
}
