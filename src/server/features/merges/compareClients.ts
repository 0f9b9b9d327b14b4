import { editableFields } from '../../../contract/entity.ts'
import type { Client } from '../../../contract/types/entities.ts'
import type { Values } from '../../../contract/when.ts'
import type { Call, Handler } from '../../core/call.ts'
import { read } from '../../records/verbs/read.ts'
import { compare } from '../likeness/compare.ts'
import { personIn } from '../likeness/person.ts'
import { type ComparedRecord, comparisonOf } from './comparison.ts'
import { labelOf, movesOf } from './moves.ts'
import { isNotSame, pairOf } from './pairOfClients.ts'

/**
 * The page on which a person merges two clients: the differences, the rows that move, who sees more or less, and the
 * consequences.
 */
export const compareClients: Handler = async (call) => {
  const [mine, theirs] = await openPair(call)
  const [movesOfMine, moves, not_same] = await Promise.all([
    movesOf(call, 'client', mine.id),
    movesOf(call, 'client', theirs.id),
    isNotSame(call.db, mine.id, theirs.id),
  ])
  const fields = editableFields(call.contract.entities.client)
  return {
    ...(await comparisonOf(call, fields, comparedClient(mine), comparedClient(theirs), moves)),
    about: labelOf('cases', movesOfMine),
    other_about: labelOf('cases', moves),
    not_same,
    ...likenessOf(mine, theirs),
  }
}

const CERTAINTY = { certain: 'Certainly the same person', likely: 'Likely the same person' }

/** Whether two clients are alike, and why, in words. */
function likenessOf(mine: Client, theirs: Client): { likeness: string | null; reasons: string } {
  const { certainty, reasons } = compare(personIn(mine), personIn(theirs))
  return { likeness: certainty && CERTAINTY[certainty], reasons: reasons.join('; ') }
}

export function comparedClient(client: Client): ComparedRecord {
  const { id, version, first_name, last_name } = client
  const created_at = client.created_at ?? null
  return {
    entity: 'client',
    id,
    version,
    created_at,
    name: `${first_name} ${last_name}`,
    values: client as Values,
  }
}

/** Both clients; that they were opened is audited. */
async function openPair(call: Call): Promise<[Client, Client]> {
  const { client } = call.contract.entities
  const [{ id }, { id: other }] = await pairOf(call, call.params.other)
  const [mine, theirs] = [id, other].map((one) => read({ ...call, params: { id: one } }, client))
  return [await mine, await theirs]
}
