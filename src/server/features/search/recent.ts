import { allows } from '../../../contract/access.ts'
import { entityOfCall, isAddressOf, partsOf } from '../../../contract/call.ts'
import type { DetailScreen, Entity } from '../../../contract/generated.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { visibleRemaining } from '../../records/merged/mergedRecords.ts'
import { fetch } from '../../records/verbs/read.ts'

/** Maximum number of addresses; a browser keeps no more. */
const MAX_RECORDS = 10

interface Titled {
  address: string
  /** What the title of the page needs of its record. */
  values: Record<string, unknown>
}

/**
 * What the titles of pages need of their records, by the addresses of pages that the caller opened before; records that
 * they may not see are left out. As in a list, nothing is opened, so that nothing is audited.
 */
export const titles: Handler = async (call) => {
  const found: Titled[] = []
  for (const address of String(call.query.addresses ?? '')
    .split(',')
    .slice(0, MAX_RECORDS)) {
    const values = await valuesAt(call, address)
    if (values) found.push({ address, values })
  }
  return found
}

async function valuesAt(call: Call, address: string): Promise<Titled['values'] | undefined> {
  const { contract, me } = call
  const screen = Object.values(contract.screens).find(
    (one): one is DetailScreen => one.kind === 'detail' && isAddressOf(one.route, address),
  )
  const id = screen && address.split('/')[screen.route.split('/').indexOf('{id}')]
  const endpoint = screen && contract.endpoints[screen.read]
  const entity = screen && contract.entities[entityOfCall(contract, screen.read) ?? '']
  if (!screen || !endpoint || !entity?.scope || !/^\d{1,9}$/.test(id ?? '')) return undefined
  if (!allows(contract.roles, endpoint.roles, me.groups)) return undefined
  const row = (await fetch(call, entity, id).catch(unlessMissing)) ?? (await ofMerged(call, entity, id))
  return row && Object.fromEntries(['id', ...partsOf(screen.title)].map((name) => [name, row[name] ?? null]))
}

/** The record that the one of a number was merged into. */
async function ofMerged(call: Call, entity: Entity, id: unknown): Promise<Row | undefined> {
  const { $id: name } = entity
  const remaining = name === 'client' || name === 'case' ? await visibleRemaining(call, name, id) : undefined
  return remaining === undefined ? undefined : fetch(call, entity, remaining).catch(unlessMissing)
}

function unlessMissing(error: unknown): undefined {
  if ((error as { statusCode?: number }).statusCode !== 404) throw error
}
