import { STATUS } from '../../../contract/status.ts'
import type { Row } from '../../core/db.ts'
import type { DemoContext, Place } from './context.ts'
import { dateOf } from './days.ts'
import { email, landline, mobile, nhsNumber, postcode } from './people.ts'
import type { Random } from './random.ts'

interface Person {
  first_name: string
  last_name: string
  dob: string | null
  woman: boolean
}
/** The row of a client, with the columns that other rows need. */
export interface Client extends Row {
  id: number
  area: number | null
}

const LONG = 0.015
const NAMESAKE = 0.03
const ATTEMPTS = 10
const BRITISH = 13
const TITLES = { woman: [2, 3, 4, 4], man: [1, 1, 1, 6] }
const WAYS = [
  'land_line',
  'mobile_voice',
  'mobile_text',
  'email',
  'post',
  'face_to_face',
  'anytime',
  'mon_am',
  'thurs_pm',
]

/** Returns a function that makes clients; some have the name and date of birth of an earlier one. */
export function clientMaker(context: DemoContext): (id: number) => { client: Client; place: Place } {
  let last: Person | undefined
  const numbers = new Set<string>()
  return (id) => {
    const { random, words } = context
    const someone = last && random.chance(NAMESAKE) ? last : invent(context)
    if (!last || random.chance(0.1)) last = someone
    const place = random.pick(words.places)
    const client = { id, ...columns(someone, place, context) }
    if (client.nhs_number) client.nhs_number = unused(client.nhs_number, numbers, random)
    return { client, place }
  }
}

/** An NHS number that no client has yet. There are 900,000 for tests: of more clients some share one. */
function unused(number: string, numbers: Set<string>, random: Random): string {
  let found = number
  for (let attempt = 0; attempt < ATTEMPTS && numbers.has(found); attempt++) found = nhsNumber(random)
  numbers.add(found)
  return found
}

function invent({ random, words, today }: DemoContext): Person {
  const woman = random.chance(0.52)
  const [first_name, last_name] = random.chance(LONG)
    ? random.pick(words.long)
    : [random.pick(woman ? words.female : words.male), random.pick(words.last)]
  const born = today - random.between(18 * 366, 97 * 365)
  return { first_name, last_name, woman, dob: random.chance(0.96) ? dateOf(born) : null }
}

function columns({ woman, ...name }: Person, place: Place, { random, words, lookups }: DemoContext) {
  const maybe = <T>(often: number, value: () => T) => (random.chance(often) ? value() : null)
  const known = lookups('address_from_postcode').map(({ label }) => String(label))
  const one = (kind: string) => random.likely(lookups(kind)).value
  return {
    ...name,
    title: maybe(0.9, () => random.pick(woman ? TITLES.woman : TITLES.man)),
    known_as: maybe(0.08, () => name.first_name.slice(0, 3)),
    dod: null as string | null,
    nhs_number: maybe(0.8, () => nhsNumber(random)),
    gender: maybe(0.95, () => (random.chance(0.03) ? random.pick([3, 4, 5, 8]) : woman ? 1 : 2)),
    ethnicity: maybe(0.9, () => (random.chance(0.6) ? BRITISH : random.pick(lookups('ethnicity')).value)),
    religion: maybe(0.75, () => one('religion')),
    sexual_orientation: maybe(0.6, () => one('sexual_orientation')),
    phone: maybe(0.6, () => landline(random)),
    mobile: maybe(0.65, () => mobile(random)),
    email: maybe(0.4, () => email(`${name.first_name} ${name.last_name}`)),
    postcode: maybe(0.95, () => postcodeOf(place, random, known)),
    address: maybe(0.95, () => `${random.between(1, 120)} ${random.pick(words.streets)}\n${place.town}`),
    area: place.area,
    comm_needs: random.chance(0.25) ? random.some(lookups('comm_needs'), 3).map(({ value }) => value) : [],
    comm_preferences: random.chance(0.5) ? random.some(WAYS, 3) : [],
    notes: maybe(0.15, () => random.pick(words.clientNotes)),
    status: STATUS.active,
    created_by: null as number | null,
    created_at: '',
    updated_at: '',
  }
}

/** A postcode of a place; about a third are one that the table of addresses knows, if it knows any there. */
function postcodeOf(place: Place, random: DemoContext['random'], known: string[]): string {
  const made = postcode(random, place.postcode)
  const [inward] = made.split(' ').slice(-1)
  const found = Number(inward[0]) < 3 && known.find((label) => label.includes(`, ${place.postcode} `))
  return found ? found.slice(found.lastIndexOf(', ') + 2) : made
}
