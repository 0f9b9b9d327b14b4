import { describeWrongFiles, screen, type Wrong } from './wrongFiles.ts'

const list = (...lines: string[]) =>
  screen('"route": "/NAME"', '"kind": "list"', '"title": "X"', '"source": "tasks.list"', ...lines)
const entity = (properties: string) =>
  screen('"$id": "NAME"', '"title": "X"', '"type": "object"', `"properties": { ${properties} }`)
const property = (...keys: string[]) => entity(`"a": { "title": "A", ${keys.join(', ')} }`)
const call = (...parts: string[]) => `{\n  "NAME.one": { ${parts.join(', ')} }\n}\n`

const TWICE: Wrong[] = [
  [
    'a column twice, once with a title',
    list('"columns": ["title", { "field": "title", "title": "T" }]'),
    "6:24  'title' is in this list twice (first at 6:15)",
  ],
  [
    'a role twice',
    list('"columns": ["title"]', '"roles": ["HUB", "HUB"]'),
    "7:20  'HUB' is in this list twice (first at 7:13)",
  ],
  [
    'a button twice',
    list(
      '"columns": ["title"]',
      '"actions": [{ "label": "Go", "to": "/profile" }, { "label": "Go", "to": "/profile" }]',
    ),
    "7:52  'Go' is in this list twice (first at 7:15)",
  ],
]

const LIMITS: Wrong[] = [
  [
    'a least length above the largest',
    property('"type": "string", "minLength": 9, "maxLength": 5'),
    "5:71  'minLength' is more than 'maxLength': no value is 9 or more and 5 or less",
  ],
  [
    'half a whole number',
    property('"type": "integer", "maximum": 1.5'),
    '5:70  the limit of a whole number is a whole number: write 2',
  ],
  [
    'a length of a number',
    property('"type": "integer", "maxLength": 5'),
    "5:72  'maxLength' is for texts, and this is integer",
  ],
  [
    'an option of the wrong type',
    property('"type": "integer", "options": [{ "value": "1", "label": "One" }]'),
    "5:82  'a' is a number, which '1' never equals; write 1",
  ],
  [
    'an empty option of a value that is never null',
    property('"type": "integer", "options": [{ "value": null, "label": "None" }]'),
    `5:82  'a' is never null: write the value that it stands for, or add "null" to its type`,
  ],
]

const SHAPES: Wrong[] = [
  [
    'a placeholder in the title of a property',
    entity('"a": { "title": "Due for {client}", "type": "string" }'),
    "5:35  '{client}' is not replaced in this text: leave it out",
  ],
  ['a negative length', property('"type": "string", "minLength": -1'), '5:71  must be at least 0'],
  ['a text of no characters', property('"type": "string", "maxLength": 0'), '5:71  must be at least 1'],
  [
    'an option twice',
    property('"options": [{ "value": 1, "label": "One" }, { "value": 1, "label": "Two" }]'),
    '5:84  1 is in this list twice (first at 5:52)',
  ],
  [
    'two options with one label',
    property('"options": [{ "value": 1, "label": "One" }, { "value": 2, "label": "One" }]'),
    "5:84  'One' is in this list twice (first at 5:52)",
  ],
]

const CALLS: Wrong[] = [
  [
    'more calls a minute than anybody makes',
    call('"call": "GET /api/NAME/"', '"does": "cases.list"', '"roles": "staff"', '"perMinute": 9000000'),
    '2:94  must be at most 6000',
  ],
  [
    'an entity twice among those that a call changes',
    call(
      '"call": "POST /api/NAME/"',
      '"does": "cases.list"',
      '"roles": "staff"',
      '"touches": ["case", "case"]',
    ),
    "2:102  'case' is in this list twice (first at 2:94)",
  ],
]

describeWrongFiles('screens', TWICE)
describeWrongFiles('schemas/entities', SHAPES)
describeWrongFiles('schemas/entities', LIMITS)
describeWrongFiles('schemas/endpoints', CALLS)
