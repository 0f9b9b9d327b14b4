import { allows } from '../../../contract/access.ts'
import { lower } from '../../../contract/messages.ts'
import { seesAll } from '../../access/callerRights.ts'
import { asReader, readPrincipal } from '../../access/principals.ts'
import { principalsOfRecord, type RecordPrincipal } from '../../access/recordPrincipals.ts'
import { callersWho } from '../../access/session.ts'
import type { Call } from '../../core/call.ts'
import type { Mergeable } from '../../records/merged/mergedRecords.ts'
import { namedPrincipals, reasonsOf } from '../viewers/reasons.ts'

/** What a number is called. */
const NAMES: Record<Mergeable, string> = { client: 'the record of', case: 'case' }

interface SightChange {
  id: number
  name: string
  /** The reason why they see one of the records, and what they will see of the other. */
  words: string
}

/** The people who will see more once two records are one, and those who will no longer see the merged record. */
export async function sightChanges(
  call: Call,
  entity: Mergeable,
  mine: number,
  theirs: number,
): Promise<{ more: SightChange[]; less: SightChange[] }> {
  const { contract, db, me, settings } = call
  const { roles } = contract.endpoints[`${entity}s.read`]
  const [people, ofMine, ofTheirs, sources] = await Promise.all([
    callersWho(db, []),
    namedPrincipals(call, entity, mine),
    namedPrincipals(call, entity, theirs),
    principalsOfRecord(db, me, entity, theirs),
  ])
  // Having added the merged record no longer gives sight of it; a referral of the person moves.
  const stays = (one: RecordPrincipal) =>
    one.entity !== entity || readPrincipal(one.principal).kind === 'referred'
  const remaining = new Set(sources.filter(stays).map(({ principal }) => principal))
  const moving = new Map([...ofTheirs].filter(([number]) => remaining.has(number)))
  const more: SightChange[] = []
  const less: SightChange[] = []
  for (const one of people) {
    if (seesAll(one) || !allows(contract.roles, roles, one.groups)) continue
    const person = asReader(one, settings)
    const [seesMine] = reasonsOf(person, ofMine)
    const [seesTheirs] = reasonsOf(person, ofTheirs)
    const [moves] = reasonsOf(person, moving)
    const { id } = one
    const name = `${one.first_name} ${one.last_name}`.trim()
    if (seesMine && !seesTheirs)
      more.push({ id, name, words: `${lower(seesMine.words)}: also ${NAMES[entity]} ${theirs}` })
    else if (moves && !seesMine)
      more.push({ id, name, words: `${lower(moves.words)}: also ${NAMES[entity]} ${mine}` })
    else if (seesTheirs && !seesMine) less.push({ id, name, words: `${lower(seesTheirs.words)}: no longer` })
  }
  return { more: firstOf(more), less: firstOf(less) }
}

/** People who are named; of more, the last line has their number. */
const MAX_NAMED = 30

function firstOf(changes: SightChange[]): SightChange[] {
  const others = changes.length - MAX_NAMED
  if (others <= 0) return changes
  return [...changes.slice(0, MAX_NAMED), { id: 0, name: `${others} more`, words: '' }]
}
