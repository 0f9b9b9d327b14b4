import { sql } from 'kysely'
import type { Contract } from '../../../contract/contract.ts'
import type { Entity, Field, Lookup } from '../../../contract/generated.ts'
import { PARENTS_OF } from '../../../contract/lookupCall.ts'
import type { Known } from '../../../contract/meta/metaTypes.ts'
import { quoted } from '../../../contract/quoted.ts'
import { STATUS } from '../../../contract/status.ts'
import { isSet } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { fieldProblem } from '../../core/problems.ts'
import { choicesOf, type LookupCall } from './choices.ts'

/** A lookup with the items of many lists: `lists` is the lookup of these, whose `key` references a parent list. */
interface Nesting {
  items: string
  lists: string
  key: string
}
interface StoredItem {
  value: number
  label: string
  attrs: Row
}

/** The contract with the lists that may have parents, for the validation of case types. */
export async function withLists(call: LookupCall): Promise<Known> {
  const names = new Set(nestingsOf(call.contract).map(({ lists }) => lists))
  const read = [...names].map(
    async (name) => [name, await choicesOf(call, name, { active: 'false' })] as const,
  )
  return { ...call.contract, lists: Object.fromEntries(await Promise.all(read)) }
}

/** The fields of an item's form: the parent item is visible once the list is chosen, with items of the parent list. */
export function withParentsOf(contract: Contract, kind: string, fields: Field[]): Field[] {
  const nesting = nestingsOf(contract).find(({ items }) => items === kind)
  if (!nesting) return fields
  return fields.map((field) => {
    if (field.name !== kind) return field
    const narrowed = {
      lookup_params: { [PARENTS_OF]: `$${nesting.lists}` },
      when: { [nesting.lists]: { set: true } },
    }
    return { ...field, attrs: { ...field.attrs, ...narrowed } }
  })
}

/**
 * Throws a 400 if an item does not fit its list: its parent must be an item of the parent list, and the parent of a
 * list with items cannot change. Retired items are ignored.
 */
export async function refuseWrongParent(
  call: Call,
  kind: string,
  model: Entity,
  { before, item }: { before?: Row; item: Row },
): Promise<void> {
  const title = (name: string) => model.properties[name].title
  const isChanged = (name: string) => (before?.[name] ?? null) !== (item[name] ?? null)
  for (const nesting of nestingsOf(call.contract)) {
    const { items, lists, key } = nesting
    if (kind === lists && isChanged(key)) await refuseParentList(call, nesting, item, title(key))
    const isMoved = isChanged(lists) || isChanged(items) || isChanged('status')
    if (kind === items && isMoved) await refuseParentItem(call, nesting, item, title(items))
    if (kind === items && before && isChanged(lists)) {
      const children = await countOf(call, items, items, Number(before.id))
      if (children > 0)
        throw fieldProblem({
          [lists]: [
            `${title(lists)} must stay: ${itemCount(children)} of another list ${belongVerb(children)} to this one`,
          ],
        })
    }
  }
}

async function refuseParentItem(call: Call, nesting: Nesting, item: Row, title: string): Promise<void> {
  if (item.status === STATUS.retired) return
  const { items, lists, key } = nesting
  const list = await storedAt(call, lists, item[lists])
  if (!list) return
  const refusal = (message: string) => fieldProblem({ [items]: [message] })
  const name = quoted(list.label)
  if (!isSet(list.attrs[key])) {
    if (isSet(item[items])) throw refusal(`${title} must be empty: ${name} has no parent list`)
    return
  }
  const parent = await storedAt(call, lists, list.attrs[key])
  const from = quoted(parent?.label ?? '')
  if (!isSet(item[items]))
    throw refusal(`${title} is missing: each item of ${name} belongs to an item of ${from}`)
  const chosen = await storedAt(call, items, item[items])
  if (chosen?.attrs[lists] !== list.attrs[key])
    throw refusal(`${title} must be an item of ${from}, to which the items of ${name} belong`)
}

async function refuseParentList(call: Call, { items, lists, key }: Nesting, item: Row, title: string) {
  const refusal = (message: string) => fieldProblem({ [key]: [message] })
  const own = Number(item.id)
  const count = await countOf(call, items, lists, own)
  if (count > 0)
    throw refusal(
      `${title} must stay: ${quoted(String(item.label))} has ${itemCount(count)}. Retire ${count === 1 ? 'it' : 'them'} first, or add another list`,
    )
  if (item[key] === own) throw refusal(`${title} must be another list`)
  const { rows } = await sql<{ found: boolean }>`with recursive above as (
      select ${item[key] ?? null}::int as value
      union
      select (l.attrs ->> ${key})::int from lookup l join above on l.kind = ${lists} and l.value = above.value
    )
    select exists (select 1 from above where value = ${own}) as found`.execute(call.db)
  if (rows[0].found)
    throw refusal(`${title} must be a list that does not itself belong to ${quoted(String(item.label))}`)
}

async function storedAt({ db }: Call, kind: string, value: unknown): Promise<StoredItem | undefined> {
  const { rows } = await sql<StoredItem>`select value, label, attrs from lookup
    where kind = ${kind} and value = ${value ?? null}::int`.execute(db)
  return rows[0]
}

/** Number of active items of a lookup that reference a value. */
async function countOf({ db }: Call, kind: string, name: string, value: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from lookup
    where kind = ${kind} and active and attrs -> ${name} = ${String(value)}::jsonb`.execute(db)
  return rows[0].n
}

function itemCount(count: number): string {
  return count === 1 ? '1 item' : `${count.toLocaleString('en-GB')} items`
}

function belongVerb(count: number): string {
  return count === 1 ? 'belongs' : 'belong'
}

function nestingsOf({ lookups }: Contract): Nesting[] {
  return Object.entries(lookups).flatMap(([items, { needs, parent }]: [string, Lookup]) =>
    needs && parent ? [{ items, lists: needs, key: parent }] : [],
  )
}
