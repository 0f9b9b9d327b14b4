import { FIELD_TYPES } from '../../src/contract/fieldTypes.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { isRequired, toSchema } from '../../src/contract/schema.ts'
import { visible } from '../../src/contract/visible.ts'
import type { Values } from '../../src/contract/when.ts'
import type { Caller, Reply } from './context.ts'

/** Items that are valid whatever the other answers are, for lookups whose item 2 may not be. */
const FITTING: Record<string, number> = { client_setting: 24 }

const EXAMPLES: Partial<Record<Field['type'], (field: Field) => unknown>> = {
  text: () => 'A few words',
  textarea: () => 'Some words\nin two lines',
  date: () => '2026-01-15',
  datetime: () => '2026-01-15T10:30:00Z',
  integer: ({ attrs }) => attrs?.min ?? 1,
  yesno: () => 'no',
  select: ({ attrs }) => attrs?.options?.[0].value ?? FITTING[attrs?.lookup ?? ''] ?? 2,
  multiselect: ({ attrs }) => [attrs?.options?.[0].value ?? 2],
  contact: () => ({ name: 'Jo Example', phone: '01234 567890' }),
  phone: () => '01234 567890',
  postcode: () => 'AB1 2CD',
  duration: () => 5400,
  file: () => 1,
  signature: () => 1,
  repeat: ({ fields = [] }) => [
    Object.fromEntries(fields.filter((f) => f.attrs?.required).map((f) => [f.name, example(f)])),
  ],
}

/** A valid value for a field. */
export function example(field: Field): unknown {
  const own = EXAMPLES[field.type]
  return own ? own(field) : FIELD_TYPES[field.type].example
}

/** The minimal valid answers of a form: answers required visible fields until no further one appears. */
export function requiredAnswers(groups: Group[]): Values {
  const answers: Values = {}
  for (let round = 0; round < 10; round++) {
    const fields = visible(groups, { answers }).flatMap((g) => g.fields)
    const missing = fields.filter((f) => !(f.name in answers) && isRequired(f, { answers }))
    if (missing.length === 0) break
    for (const field of missing) answers[field.name] = example(field)
  }
  toSchema(groups, { answers })
  return answers
}

/** Minimal body of POST /case/ for a case type. */
export async function newCase(caller: Caller, type = 1, more: Values = {}): Promise<Values> {
  const { body: meta } = await caller('caseTypes.read', { params: { id: type } })
  const first = async (lookup: string) =>
    (await caller.raw(`/${lookup}/?service=${meta.service}`)).body[0].value as number
  return {
    service: meta.service,
    case_type: type,
    client: { first_name: 'Ann', last_name: `Example${Math.floor(performance.now() * 1000)}` },
    case: { contract: await first('contracts_lookup'), answers: requiredAnswers(meta.case_meta) },
    issue: {
      issue_type: await first('issue_types_lookup'),
      start_date: '2026-02-01',
      answers: requiredAnswers(meta.issue_meta),
    },
    ...more,
  }
}

/** Creates a case and returns its ids; throws if it is refused. */
export async function createCase(
  caller: Caller,
  type = 1,
  more: Values = {},
): Promise<{ id: number; client: number; issue: number }> {
  const reply: Reply = await caller('cases.create', { body: await newCase(caller, type, more) })
  if (reply.status !== 201) throw new Error(`not created: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}
