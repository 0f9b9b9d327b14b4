import { allows } from '../../../contract/access.ts'
import type { Client } from '../../../contract/types/entities.ts'
import { principalsOfRecord } from '../../access/recordPrincipals.ts'
import { seesAll } from '../../access/scope.ts'
import { callersWho } from '../../access/session.ts'
import type { Call } from '../../core/call.ts'
import { namedPrincipals, reasonsOf } from '../viewers/reasons.ts'

interface SightChange {
  id: number
  name: string
  /** Why they see one of the records, and what they see of the other one then. */
  words: string
}

/** Who sees more of two clients once they are one, and who no longer sees what they saw of one that goes. */
export async function sightChanges(
  call: Call,
  mine: Client,
  theirs: Client,
): Promise<{ more: SightChange[]; less: SightChange[] }> {
  const { contract, db, me, settings } = call
  const { roles } = contract.endpoints['clients.read']
  const [people, ofMine, ofTheirs, sources] = await Promise.all([
    callersWho(db, []),
    namedPrincipals(call, 'client', mine.id),
    namedPrincipals(call, 'client', theirs.id),
    principalsOfRecord(db, me, 'client', theirs.id),
  ])
  // Who added the client that goes sees it by that alone no longer.
  const kept = new Set(sources.filter(({ entity }) => entity !== 'client').map(({ principal }) => principal))
  const moving = new Map([...ofTheirs].filter(([number]) => kept.has(number)))
  const readsContracts = settings.COMMISSIONER_READS_RECORDS === 1
  const more: SightChange[] = []
  const less: SightChange[] = []
  for (const one of people) {
    if (seesAll(one) || !allows(contract.roles, roles, one.groups)) continue
    const person = { ...one, readsContracts }
    const [seesMine] = reasonsOf(person, ofMine)
    const [seesTheirs] = reasonsOf(person, ofTheirs)
    const [moves] = reasonsOf(person, moving)
    const { id } = one
    const name = `${one.first_name} ${one.last_name}`.trim()
    if (seesMine && !seesTheirs)
      more.push({ id, name, words: `${seesMine.words}: also the record of ${theirs.id}` })
    else if (moves && !seesMine)
      more.push({ id, name, words: `${moves.words}: also the record of ${mine.id}` })
    else if (seesTheirs && !seesMine) less.push({ id, name, words: `${seesTheirs.words}: no longer` })
  }
  return { more, less }
}
