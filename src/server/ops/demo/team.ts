import { ROLE } from '../../../contract/roles.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Row } from '../../core/db.ts'

export interface Member {
  username: string
  first_name: string
  last_name: string
  groups: number[]
  status: number
  hub: number | null
  /** User name of the line manager. */
  manager: string | null
  services: number[]
  contracts: number[]
  /** An item of the lookup `partner_organisation`. */
  partner_organisation: number | null
  /** Weight of this person when work is assigned. */
  share: number
}
type MemberOptions = Pick<Member, 'username' | 'first_name' | 'last_name' | 'groups'> & Partial<Member>

/** The Help Hubs: items of the lookup `hub`, by their value. */
export const HUBS: Row[] = [
  { kind: 'hub', value: 1, label: 'Eastern Help Hub', attrs: {}, active: true, position: 0 },
  { kind: 'hub', value: 2, label: 'Midlands and West Help Hub', attrs: {}, active: true, position: 1 },
]

/** Their managers' user names, in the same order. */
export const HUB_MANAGERS = ['hubmanager', 'beatrix.vandenberg']

const PEOPLE: [username: string, first: string, last: string, group: number, more?: Partial<Member>][] = [
  ['admin', 'Ada', 'Whitlock', ROLE.systemAdministrator],
  ['manager', 'Morgan', 'Ellery', ROLE.advocateManager, { services: [1, 3, 5] }],
  ['partnermanager', 'Quinn', 'Marlowe', ROLE.partnerManager, { services: [2, 4], partner_organisation: 1 }],
  ['hubmanager', 'Robin', 'Castellan', ROLE.hubManager, { hub: 1, services: [3, 4] }],
  ['commissioner', 'Casey', 'Thornbury', ROLE.commissionerAdvocate, { contracts: [1, 3, 4] }],
  ['advocate', 'Avery', 'Lindqvist', ROLE.advocate, { manager: 'manager', services: [1, 3, 5], share: 2 }],
  [
    'volunteer',
    'Vic',
    'Adeyemi-Cole',
    ROLE.volunteerAdvocate,
    { manager: 'manager', services: [1, 3], share: 2 },
  ],
  [
    'partner',
    'Pat',
    'Ní Bhriain',
    ROLE.partner,
    { manager: 'partnermanager', partner_organisation: 1, services: [2, 4], share: 2 },
  ],
  ['hub', 'Harper', 'Osei', ROLE.hub, { manager: 'hubmanager', hub: 1, services: [3, 4], share: 3 }],
  ['imogen.achterberg', 'Imogen', 'Achterberg', ROLE.advocate, { manager: 'manager', services: [1, 5] }],
  ['jose.ferreira', 'José', 'Ferreira-Lima', ROLE.advocate, { manager: 'manager', services: [3, 5] }],
  [
    'tamsin.fitzgerald',
    'Tamsin',
    'Fitzgerald-Oyelaran',
    ROLE.advocate,
    { manager: 'manager', services: [1, 3, 5] },
  ],
  [
    'sian.llewellyn',
    'Siân',
    'Llewellyn',
    ROLE.advocate,
    { manager: 'manager', services: [1, 3], status: STATUS.onLeave },
  ],
  [
    'declan.orourke',
    'Declan',
    "O'Rourke",
    ROLE.advocate,
    { manager: 'manager', services: [1, 5], status: STATUS.suspended },
  ],
  [
    'barnaby.quist',
    'Barnaby',
    'Quist',
    ROLE.advocate,
    { manager: 'manager', services: [1, 3, 5], status: STATUS.retired },
  ],
  [
    'zoe.hartmann',
    'Zoë',
    'Hartmann',
    ROLE.partner,
    { manager: 'partnermanager', partner_organisation: 1, services: [2, 4] },
  ],
  [
    'kwame.boateng',
    'Kwame',
    'Boateng',
    ROLE.partner,
    { manager: 'partnermanager', partner_organisation: 1, services: [2] },
  ],
  ['noor.haddad', 'Noor', 'Haddad', ROLE.hub, { manager: 'hubmanager', hub: 1, services: [3, 4] }],
  ['elis.pritchard', 'Elis', 'Pritchard', ROLE.hub, { manager: 'hubmanager', hub: 1, services: [3, 4] }],
  ['beatrix.vandenberg', 'Beatrix', 'van den Berg', ROLE.hubManager, { hub: 2, services: [2, 4] }],
  ['oona.kivela', 'Oona', 'Kivelä', ROLE.hub, { manager: 'beatrix.vandenberg', hub: 2, services: [2, 4] }],
  [
    'desmond.achebe',
    'Desmond',
    'Achebe',
    ROLE.hub,
    { manager: 'beatrix.vandenberg', hub: 2, services: [2, 4] },
  ],
  ['leonora.finch', 'Leonora', 'Finch', ROLE.advocateManager, { services: [2, 4] }],
  ['mairead.doherty', 'Mairéad', 'Doherty', ROLE.advocate, { manager: 'leonora.finch', services: [2, 4] }],
  [
    'ravi.chandran',
    'Ravi',
    'Chandran',
    ROLE.volunteerAdvocate,
    { manager: 'leonora.finch', services: [2, 4] },
  ],
  [
    'rosalind.ekwueme',
    'Rosalind',
    'Ekwueme',
    ROLE.advocate,
    { manager: 'leonora.finch', groups: [ROLE.advocate, ROLE.hub], hub: 2, services: [2, 4] },
  ],
]

/** The staff with names of their own: first the nine demo users, then their colleagues. */
export function namedStaff(): Member[] {
  return PEOPLE.map(([username, first_name, last_name, group, more]) =>
    member({ username, first_name, last_name, groups: [group], ...more }),
  )
}

/** A member with defaults for missing properties. */
export function member(options: MemberOptions): Member {
  return {
    status: STATUS.active,
    hub: null,
    manager: null,
    services: [],
    contracts: [],
    partner_organisation: null,
    share: 1,
    ...options,
  }
}
