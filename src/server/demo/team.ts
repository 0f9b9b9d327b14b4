import type { Row } from '../db.ts'

export interface Member {
  username: string
  first_name: string
  last_name: string
  groups: number[]
  /** 1 at work, 2 retired, 3 suspended, 4 on leave. */
  status: number
  hub: number | null
  /** A user name. */
  manager: string | null
  services: number[]
  contracts: number[]
  /** An item of the lookup `partner_organisation`. */
  partner_organisation: number | null
  /** How much of the work comes to this person. */
  share: number
}
type Given = Pick<Member, 'username' | 'first_name' | 'last_name' | 'groups'> & Partial<Member>

/** The Help Hubs: items of the lookup `hub`, by their value. */
export const HUBS: Row[] = [
  { kind: 'hub', value: 1, label: 'Eastern Help Hub', attrs: {}, active: true, position: 0 },
  { kind: 'hub', value: 2, label: 'Midlands and West Help Hub', attrs: {}, active: true, position: 1 },
]

/** Their managers' user names, in the same order. */
export const HUB_MANAGERS = ['hubmanager', 'beatrix.vandenberg']

const PEOPLE: [username: string, first: string, last: string, group: number, more?: Partial<Member>][] = [
  ['admin', 'Ada', 'Whitlock', 1],
  ['manager', 'Morgan', 'Ellery', 2, { services: [1, 3, 5] }],
  ['partnermanager', 'Quinn', 'Marlowe', 9, { services: [2, 4], partner_organisation: 1 }],
  ['hubmanager', 'Robin', 'Castellan', 7, { hub: 1, services: [3, 4] }],
  ['commissioner', 'Casey', 'Thornbury', 5, { contracts: [1, 3, 4] }],
  ['advocate', 'Avery', 'Lindqvist', 4, { manager: 'manager', services: [1, 3, 5], share: 2 }],
  ['volunteer', 'Vic', 'Adeyemi-Cole', 6, { manager: 'manager', services: [1, 3], share: 2 }],
  [
    'partner',
    'Pat',
    'Ní Bhriain',
    8,
    { manager: 'partnermanager', partner_organisation: 1, services: [2, 4], share: 2 },
  ],
  ['hub', 'Harper', 'Osei', 3, { manager: 'hubmanager', hub: 1, services: [3, 4], share: 3 }],
  ['imogen.achterberg', 'Imogen', 'Achterberg', 4, { manager: 'manager', services: [1, 5] }],
  ['jose.ferreira', 'José', 'Ferreira-Lima', 4, { manager: 'manager', services: [3, 5] }],
  ['tamsin.fitzgerald', 'Tamsin', 'Fitzgerald-Oyelaran', 4, { manager: 'manager', services: [1, 3, 5] }],
  ['sian.llewellyn', 'Siân', 'Llewellyn', 4, { manager: 'manager', services: [1, 3], status: 4 }],
  ['declan.orourke', 'Declan', "O'Rourke", 4, { manager: 'manager', services: [1, 5], status: 3 }],
  ['barnaby.quist', 'Barnaby', 'Quist', 4, { manager: 'manager', services: [1, 3, 5], status: 2 }],
  [
    'zoe.hartmann',
    'Zoë',
    'Hartmann',
    8,
    { manager: 'partnermanager', partner_organisation: 1, services: [2, 4] },
  ],
  [
    'kwame.boateng',
    'Kwame',
    'Boateng',
    8,
    { manager: 'partnermanager', partner_organisation: 1, services: [2] },
  ],
  ['noor.haddad', 'Noor', 'Haddad', 3, { manager: 'hubmanager', hub: 1, services: [3, 4] }],
  ['elis.pritchard', 'Elis', 'Pritchard', 3, { manager: 'hubmanager', hub: 1, services: [3, 4] }],
  ['beatrix.vandenberg', 'Beatrix', 'van den Berg', 7, { hub: 2, services: [2, 4] }],
  ['oona.kivela', 'Oona', 'Kivelä', 3, { manager: 'beatrix.vandenberg', hub: 2, services: [2, 4] }],
  ['desmond.achebe', 'Desmond', 'Achebe', 3, { manager: 'beatrix.vandenberg', hub: 2, services: [2, 4] }],
  ['leonora.finch', 'Leonora', 'Finch', 2, { services: [2, 4] }],
  ['mairead.doherty', 'Mairéad', 'Doherty', 4, { manager: 'leonora.finch', services: [2, 4] }],
  ['ravi.chandran', 'Ravi', 'Chandran', 6, { manager: 'leonora.finch', services: [2, 4] }],
  [
    'rosalind.ekwueme',
    'Rosalind',
    'Ekwueme',
    4,
    { manager: 'leonora.finch', groups: [4, 3], hub: 2, services: [2, 4] },
  ],
]

/** The nine demo sign-ins first, then their colleagues. */
export function namedStaff(): Member[] {
  return PEOPLE.map(([username, first_name, last_name, group, more]) =>
    member({ username, first_name, last_name, groups: [group], ...more }),
  )
}

/** A member with what is usual where nothing is said. */
export function member(given: Given): Member {
  return {
    status: 1,
    hub: null,
    manager: null,
    services: [],
    contracts: [],
    partner_organisation: null,
    share: 1,
    ...given,
  }
}
