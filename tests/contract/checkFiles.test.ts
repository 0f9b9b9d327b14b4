import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkContract } from '../../src/check/check.ts'
import { printProblem } from '../../src/contract/locate.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

/**
 * A mistake in a file of the product: its title, the file, the text to replace, its replacement, and the message, which
 * names the line of the replacement.
 */
type Mistake = [mistake: string, file: string, right: string, wrong: string, expected: string]

const OWN = 'tests/fixtures/own-calls.tsv'
const SPECIFIED = 'tests/fixtures/calls.tsv'

const LOOKUPS: Mistake[] = [
  [
    'a lookup with the path of another',
    'schemas/lookups.json',
    '"path": "/title_lookup/"',
    '"path": "/comm_needs_lookup/"',
    "'/comm_needs_lookup/' is already the path of the lookup comm_needs",
  ],
  [
    'a lookup with the path of a screen',
    'schemas/lookups.json',
    '"path": "/contact_type_lookup/"',
    '"path": "/profile"',
    "'/profile' is the address of screens/profile.json; write '/profile/', or another path",
  ],
]

const SOURCES: Mistake[] = [
  [
    'a lookup from a query that the code does not have',
    'schemas/lookups.json',
    '"from": "contracts"',
    '"from": "contract"',
    "no query 'contract' in src/server/records/lookups/choices.ts; did you mean 'contracts'?",
  ],
  [
    'a table that no migration makes',
    'schemas/entities/accessAttempt.json',
    '"table": "access_attempts"',
    '"table": "acces_atempts"',
    "no migration or view makes a table 'acces_atempts'",
  ],
  [
    'a view without a file',
    'schemas/entities/referralForm.json',
    '"view": "referral_form_record"',
    '"view": "referral_form_records"',
    'src/server/ops/views/referral_form_records.sql does not exist',
  ],
  [
    'a key that no field of the rows has',
    'schemas/entities/caseMonitoring.json',
    '"key": "case"',
    '"key": "caqse"',
    "case_monitoring has no column 'caqse'; did you mean 'case'?",
  ],
]

/** Mistakes in the files that have all of a kind. */
const SHARED: Mistake[] = [
  [
    'a required field that a body does not have',
    'schemas/bodies.json',
    '"required": ["username", "password"]',
    '"required": ["usernme", "password"]',
    "no field 'usernme' in login; did you mean 'username'?",
  ],
  [
    'an option of the wrong type in a body',
    'schemas/bodies.json',
    '{ "value": "sign in", "label": "Sign in" }',
    '{ "value": 1, "label": "Sign in" }',
    '\'purpose\' is a text, which 1 never equals; write "1"',
  ],
  [
    'a filter with a text among numbers',
    'schemas/query.json',
    '{ "value": 6, "label": "Volunteer advocate" }',
    '{ "value": "6", "label": "Volunteer advocate" }',
    "'involvement_type' is a number, which '6' never equals; write 6",
  ],
]

const TWICE: Mistake[] = [
  [
    'an option of a filter that is there twice',
    'schemas/query.json',
    '{ "value": "overdue", "label": "Overdue" }',
    '{ "value": "overdue", "label": "Overdue" }, { "value": "overdue", "label": "Late" }',
    "'overdue' is in this list twice (first at 189:9)",
  ],
  [
    'two roles with one id',
    'schemas/roles.json',
    '"id": 2, "name"',
    '"id": 1, "name"',
    '1 is in this list twice (first at 4:5)',
  ],
]

/** Rows that other kinds of screens than lists have. */
const ROWS: Mistake[] = [
  [
    'a link of a card with an id that its row does not have',
    'screens/case.json',
    '"issue_type_label", "link": "/cases/{case}/issues/{issue}/details" }, "note"',
    '"issue_type_label", "link": "/cases/{case}/issues/{isue}/details" }, "note"',
    "there is no value for '{isue}'; did you mean 'issue'?",
  ],
  [
    'a filter of cards with a value that its parameter never has',
    'screens/case.json',
    '"query": { "open": "true" }',
    '"query": { "open": "yes" }',
    "'yes' is not one of the options of 'open'",
  ],
  [
    'a link of open work that its row does not fill',
    'screens/case.json',
    '"title", "link": "{page}"',
    '"title", "link": "{pag}"',
    "there is no value for '{pag}'; did you mean 'page'?",
  ],
]

const COLUMNS: Mistake[] = [
  [
    'a filter of a handler by a column that its rows do not have',
    'schemas/query.json',
    '"column": "due_group"',
    '"column": "due_groups"',
    "worklist_rows has no column 'due_groups'; did you mean 'due_group'? (worklist.list filters by it)",
  ],
  [
    'a fixed condition of a list on an unknown column',
    'schemas/endpoints/reports.json',
    '"where": { "is_caseworker": true }',
    '"where": { "is_casworker": true }',
    "staff_rows has no column 'is_casworker'; did you mean 'is_caseworker'?",
  ],
  [
    'a fixed condition with a value that the column never has',
    'schemas/endpoints/issues.json',
    '"where": { "advocate": "me" }',
    '"where": { "advocate": "me", "is_opened": "yes" }',
    "'is_opened' is true or false, which 'yes' never equals; write true",
  ],
  [
    'a filter by an unknown column',
    'schemas/query.json',
    '"column": "contracts", "match": "in"',
    '"column": "contrcts", "match": "in"',
    "caseworkers has no column 'contrcts'; did you mean 'contracts'? (staff.caseworkers filters by it)",
  ],
  [
    'an order by an unknown column',
    'schemas/entities/task.json',
    '"sortBy": "assignee_name_key"',
    '"sortBy": "asignee_name_key"',
    "task_record has no column 'asignee_name_key'; did you mean 'assignee_name_key'?",
  ],
  [
    'a fixed condition of a call that lists nothing',
    'schemas/endpoints/cases.json',
    '"does": "read case", "roles"',
    '"does": "read case", "where": { "status": 1 }, "roles"',
    "'where' is for lists only, and cases.read is not one",
  ],
]

const ROLES: Mistake[] = [
  [
    'a call of ours that is open to another role',
    OWN,
    'template\t1,3,7',
    'template\t1,3',
    "bulk.template is for 1,3,7 and not for 1,3: write '1,3,7' here, or change 'roles' of bulk.template",
  ],
  [
    'a call of the specification that is open to another role',
    SPECIFIED,
    'involvement_type\t\t2,9',
    'involvement_type\t\t2',
    "reports.advocates is for 2,9 and not for 2: write '2,9' here, or change 'roles' of reports.advocates",
  ],
]

let copy = ''
beforeAll(() => {
  copy = temporaryFolder('check-')
  for (const folder of ['schemas', 'screens', 'src', 'tests/fixtures'])
    fs.cpSync(folder, path.join(copy, folder), { recursive: true })
})
afterAll(() => fs.rmSync(copy, { recursive: true }))

/** What the check reports while all these mistakes are in the files, but for generated files that depend on them. */
async function problemsWith(mistakes: Mistake[]): Promise<{ found: string[]; expected: string[] }> {
  const files = [...new Set(mistakes.map(([, file]) => file))]
  for (const file of files) {
    const text = mistakes
      .filter(([, other]) => other === file)
      .reduce(
        (before, [mistake, , right, wrong]) => {
          expect(before.split(right).length, mistake).toBe(2)
          return before.replace(right, wrong)
        },
        fs.readFileSync(file, 'utf8'),
      )
    fs.writeFileSync(path.join(copy, file), text)
  }
  const { problems } = await checkContract(copy)
  const expected = mistakes.map(([, file, right, , message]) => {
    const text = fs.readFileSync(file, 'utf8')
    return `${file}:${text.slice(0, text.indexOf(right)).split('\n').length}  ${message}`
  })
  for (const file of files) fs.copyFileSync(file, path.join(copy, file))
  const found = problems.map(printProblem).map((text) => text.replace(/:\d+ {2}/, '  '))
  return { found: found.filter((text) => !text.includes('is out of date')), expected }
}

describe.each([
  ['lookups', LOOKUPS],
  ['what the code and the database have', SOURCES],
  ['files that have all of a kind', SHARED],
  ['lists of such files', TWICE],
  ['rows of other screens', ROWS],
  ['columns', COLUMNS],
  ['roles', ROLES],
])('mistakes in %s', (_, mistakes) => {
  let found: string[] = []
  let expected: string[] = []
  beforeAll(async () => {
    ;({ found, expected } = await problemsWith(mistakes))
  })
  it.each(mistakes.map(([mistake], i) => [mistake, i] as const))('refuses %s', (_mistake, i) =>
    expect(found).toContain(expected[i]),
  )
  it('refuses nothing else', () => expect(found.toSorted()).toEqual(expected.toSorted()))
})
