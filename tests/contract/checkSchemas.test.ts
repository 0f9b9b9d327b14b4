import { describeWrongFiles, screen, type Wrong } from './wrongFiles.ts'

const call = (key: string, ...parts: string[]) =>
  `{\n  "${key}": { ${parts.join(', ')}, "roles": "staff" }\n}\n`
const entity = (properties: string, ...lines: string[]) =>
  screen('"$id": "NAME"', '"title": "X"', '"type": "object"', `"properties": { ${properties} }`, ...lines)

const factsOf = (day: string, dimension: string, measure: string) =>
  entity(
    '"a": { "title": "A" }, "day": { "title": "Day" }',
    `"facts": { "title": "Things", ${day}, "dimensions": { ${dimension} }, "measures": { ${measure} } }`,
  )

const automation = (notify: string, text: string, ...keys: string[]) =>
  entity(
    '"id": { "title": "ID", "type": "integer" }, "owner": { "title": "Owner", "type": "integer" }, "name": { "title": "Name", "type": "string" }, "day": { "title": "Day", "type": "string", "format": "date" }, "case": { "title": "Case", "type": "integer" }',
    `"automations": [{ "name": "a", "label": "A", ${[...keys, '"when": { "record.name": { "set": true } }'].join(', ')}, "then": [{ "notify": ["${notify}"], "text": "${text}" }] }]`,
  )

const AUTOMATIONS: Wrong[] = [
  [
    'a receiver that is no field',
    automation('ownr', 'New'),
    "6:114  no receiver 'ownr'; did you mean 'owner'?",
  ],
  [
    'a receiver that is no person',
    automation('name', 'New'),
    "6:114  'name' is not a person: a receiver is a field with the id of one",
  ],
  [
    'a value that a notice has not',
    automation('owner', 'New: {nmae}'),
    "6:132  there is no value for '{nmae}'; did you mean 'name'?",
  ],
  [
    'a bracket that is not closed',
    automation('owner', '[{name} is new'),
    '6:132  a bracket or brace is not closed, or within another one',
  ],
  [
    'a change of a field that is not there',
    automation('owner', 'New', '"changed": "nmae"'),
    "6:59  no field 'nmae' in NAME; did you mean 'name'?",
  ],
  [
    'a wait for a notice that does not lead to its record',
    automation('owner', 'New', '"waits": { "since": "day", "days": 2 }'),
    "6:57  only notices that lead to the record itself can have 'waits': to those of issue, task, client, referralRequest, bulkUpload, fieldComment",
  ],
  [
    'a notice that leads nowhere',
    automation('owner', 'New').replace('"case": {', '"client": {'),
    "6:113  such a notice leads to the case of its record, and 'NAME' has no 'case'",
  ],
]

const REGISTER: Wrong[] = [
  [
    'stored records of which nobody says why',
    entity('"id": { "title": "ID", "type": "integer" }', '"table": "clients"'),
    "1:1  needs 'purpose': why the service holds these records, or 'rowsOf': whose they are",
  ],
  [
    'stored records of which nobody says how long',
    entity('"id": { "title": "ID", "type": "integer" }', '"table": "clients"', '"purpose": "To know."'),
    "7:14  needs 'retention' beside it: how long these records stay",
  ],
  [
    'rows of an entity that are rows of another',
    entity('"id": { "title": "ID", "type": "integer" }', '"table": "clients"', '"rowsOf": "clientRow"'),
    "7:13  clientRow has no 'purpose' of its own",
  ],
]

const CALLS: Wrong[] = [
  [
    'a handler that does not exist',
    call('NAME.one', '"call": "GET /NAME"', '"does": "cases.lsit"'),
    "2:44  no handler 'cases.lsit' in src/server/features/handlers.ts; did you mean 'cases.list'?",
  ],
  [
    'one address for two calls',
    call('NAME.one', '"call": "GET /case/{case}/"', '"does": "cases.list"'),
    "2:24  'GET /case/{case}/' is already the call of cases.read",
  ],
  [
    'a record that is read without an id',
    call('NAME.one', '"call": "GET /NAME"', '"does": "read case"'),
    "2:24  'read case' needs an {id} in its path",
  ],
  [
    'an id of a path that a list ignores',
    call('NAME.one', '"call": "GET /NAME/{id}"', '"does": "list issueRow"'),
    "2:24  '{id}' is not used: name the field in 'by'",
  ],
  [
    'a part of a path that no verb takes',
    call('NAME.one', '"call": "GET /NAME/{case}/{id}"', '"does": "read issue"'),
    "2:24  '{case}' is not used: verbs take only {id}",
  ],
  [
    'a verb that sets a status which the entity does not have',
    call('NAME.one', '"call": "GET /NAME/{id}"', '"does": "retire activity"'),
    "2:49  'retire activity' sets 'status', which is not a field of activity",
  ],
  [
    'a verb on an entity without rows of its own',
    call('NAME.one', '"call": "GET /NAME"', '"does": "list created"'),
    "2:44  created has no 'table' to list",
  ],
  [
    'an order by a field that is not there',
    call('NAME.one', '"call": "GET /NAME"', '"does": "list issueRow"', '"order": ["-strat_date"]'),
    "2:71  no field 'strat_date' in issueRow; did you mean 'start_date'?",
  ],
  [
    'an order of a handler by a field that its rows do not have',
    call(
      'NAME.one',
      '"call": "GET /NAME"',
      '"does": "worklist.list"',
      '"reply": "worklistRow"',
      '"order": ["dque"]',
    ),
    "2:95  no field 'dque' in worklistRow; did you mean 'due'?",
  ],
  [
    'figures of what has no facts',
    call('NAME.one', '"call": "GET /NAME"', '"does": "figures issueRow"', '"query": ["issueFactFigures"]'),
    '2:44  issueRow has no facts to count',
  ],
  [
    'figures that answer something else',
    call('NAME.one', '"call": "GET /NAME"', '"does": "figures issueFact"', '"query": ["issueFactFigures"]'),
    "2:14  the reply of figures of issueFact is 'issueFactFigures'",
  ],
  [
    'a list that is protected',
    call('NAME.one', '"call": "GET /NAME"', '"does": "list issueRow"', '"protect": true'),
    '2:72  only figures are protected',
  ],
]

const ENTITIES: Wrong[] = [
  [
    'a default that the field could not hold',
    entity('"a": { "title": "A", "type": "integer", "default": "one" }'),
    '5:70  the default must be of the type integer',
  ],
  [
    'a default that is none of the options',
    entity(
      '"a": { "title": "A", "type": "integer", "options": [{ "value": 1, "label": "One" }], "default": 2 }',
    ),
    "5:115  '2' is not one of the field's options",
  ],
  [
    'today for a number',
    entity('"a": { "title": "A", "type": "integer", "default": "today" }'),
    "5:70  'today' is for a field of the format date or date-time",
  ],
  [
    'a default that is no date',
    entity('"a": { "title": "A", "type": "string", "format": "date", "default": "toady" }'),
    "5:87  'toady' must be a date like 2026-01-31, or 'today'",
  ],
  [
    'a default on a day that no calendar has',
    entity('"a": { "title": "A", "type": "string", "format": "date", "default": "2026-02-30" }'),
    "5:87  '2026-02-30' must be a date like 2026-01-31, or 'today'",
  ],
  [
    'a page with a part that the record does not have',
    entity('"id": { "title": "ID", "type": "integer" }', '"page": "/action/{iqd}"'),
    "6:11  there is no value for '{iqd}'; did you mean 'id'?",
  ],
  [
    'a condition on a field that is not there',
    entity('"one": { "title": "A", "type": "integer", "when": { "tow": 1 } }, "two": { "title": "B" }'),
    "5:78  no field 'tow' in NAME; did you mean 'two'?",
  ],
  [
    'a rule that does not exist',
    entity('"a": { "title": "A", "type": "string", "rules": ["not_futur"] }'),
    "5:68  no rule 'not_futur'; did you mean 'not_future'?",
  ],
  [
    'a rule about a field that is not there',
    entity('"a": { "title": "A", "type": "string", "rules": ["after:b"] }, "c": { "title": "C" }'),
    "5:68  no field 'b' in NAME; did you mean 'a'?",
  ],
  [
    'a lookup narrowed by what it does not know',
    entity(
      '"a": { "title": "A", "type": "integer", "lookup": "issue_types", "lookup_params": { "servce": 1 } }',
    ),
    "5:113  issue_types is not narrowed by 'servce'; did you mean 'service'?",
  ],
  [
    'a lookup narrowed by a field that is not there',
    entity(
      '"a": { "title": "A", "type": "integer", "lookup": "issue_types", "lookup_params": { "service": "$b" } }',
    ),
    "5:114  no field 'b' in NAME; did you mean 'a'?",
  ],
  [
    'a name of a record with a field that is not there',
    entity('"label": { "title": "A" }', '"named": "{lable}"'),
    "6:12  there is no value for '{lable}'; did you mean 'label'?",
  ],
  [
    'facts of a day that is not there',
    factsOf('"day": "dya"', '"a": {}', '"n": { "title": "N", "count": true }'),
    "6:40  no field 'dya' in NAME; did you mean 'day'?",
  ],
  [
    'a dimension that is no field',
    factsOf('"day": "day"', '"aa": {}', '"n": { "title": "N", "count": true }'),
    "6:69  no field 'aa' in NAME; did you mean 'a'?",
  ],
  [
    'a measure that says two things',
    factsOf('"day": "day"', '"a": {}', '"n": { "title": "N", "count": true, "sum": "a" }'),
    '6:93  a measure needs exactly one of count, sum, distinct, average',
  ],
  [
    'a measure of a field that is not there',
    factsOf('"day": "day"', '"a": {}', '"n": { "title": "N", "sum": "aa" }'),
    "6:116  no field 'aa' in NAME; did you mean 'a'?",
  ],
  [
    'a measure of rows that no list could show alone',
    factsOf('"day": "day"', '"a": {}', '"n": { "title": "N", "count": true, "where": { "day": "x" } }'),
    "6:142  no dimension 'day'; did you mean 'a'?",
  ],
]

/** What a meta-schema refuses: names are checked once nothing of this is left. */
const ITEMS: Wrong[] = [
  [
    'a list of items of a type that JSON does not have',
    entity('"a": { "title": "A", "type": "array", "items": { "type": "intger" } }'),
    "5:76  no such name 'intger'; did you mean 'integer'?",
  ],
  [
    'a list of items with a misspelt key',
    entity('"a": { "title": "A", "type": "array", "items": { "tpye": "integer" } }'),
    "5:68  no key 'tpye' here; did you mean 'type'?",
  ],
]

describeWrongFiles('schemas/endpoints', CALLS)
describeWrongFiles('schemas/entities', [...ENTITIES, ...AUTOMATIONS, ...REGISTER])
describeWrongFiles('schemas/entities', ITEMS)
