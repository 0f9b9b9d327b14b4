import { bodyParametersOf, callOf, verbOf } from '../../src/contract/call.ts'
import type { Contract } from '../../src/contract/contract.ts'
import type { Body, Entity, Field, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'

/** The forms of the case type of a test's records. */
export interface Metas {
  case_meta: Group[]
  issue_meta: Group[]
}

/** Body values that handlers read and no descriptor names. */
const EXTRA_NAMES: Record<string, string[]> = {
  'admin.add': ['version', 'data', 'data.version'],
  'admin.change': ['version', 'data', 'data.version'],
  'admin.order': ['ids'],
  'caseTypes.create': ['label', 'service', 'case_meta', 'issue_meta', 'tests', 'note', 'publish_anyway'],
  'caseTypes.update': [
    'version',
    'label',
    'service',
    'case_meta',
    'issue_meta',
    'tests',
    'note',
    'rev',
    'publish_anyway',
  ],
  'caseTypes.saveDraft': ['case_meta', 'issue_meta', 'tests'],
  'caseTypes.checkShape': ['label', 'case_meta', 'issue_meta', 'tests'],
  'automations.impact': ['automations'],
  'automations.impactRecords': ['automations', 'automation', 'deadline', 'from'],
  'cases.create': ['service', 'case_type', 'case_type_version', 'case_type_names_version', 'client.id'],
  'documents.rename': ['name'],
}

/** Every name of a value that a call's body may have, dotted below objects and rows ('answers.ward', 'to.0.issue'). */
export function bodyNames(contract: Contract, metas: Metas, name: string): string[] {
  const endpoint = contract.endpoints[name]
  const { entities, bodies } = contract
  const verb = verbOf(endpoint)
  const entityName =
    endpoint.writes ?? (['create', 'update'].includes(verb?.verb ?? '') ? verb?.entity : undefined)
  const of = (entity: string, at: string) => [at.slice(0, -1), ...namesOf(entities[entity], metas, at)]
  const more: Record<string, () => string[]> = {
    'actions.create': () => namesOf(entities.action, metas),
    'admin.add': () => of('lookupItem', 'data.'),
    'admin.change': () => of('lookupItem', 'data.'),
    'cases.addIssue': () => namesOf(entities.issue, metas),
    'cases.create': () => [
      ...of('client', 'client.'),
      ...of('case', 'case.'),
      ...of('issue', 'issue.'),
      ...of('caseMonitoring', 'monitoring.'),
      'signposting',
      ...of('signpost', 'signposting.0.'),
    ],
  }
  const names = [
    ...(EXTRA_NAMES[name] ?? []),
    ...Object.keys(bodyParametersOf(contract, endpoint)),
    ...(endpoint.body ? namesOf(bodies[endpoint.body], metas) : []),
    ...(entityName ? ['version', ...namesOf(entities[entityName], metas)] : []),
    ...(more[name]?.() ?? []),
  ]
  return callOf(endpoint).method === 'GET' ? [] : [...new Set(names)]
}

function namesOf(shape: Entity | Body, metas: Metas, at = ''): string[] {
  return Object.entries(shape.properties).flatMap(([name, { columns, meta }]) => {
    const path = at + name
    const rows = Object.keys(columns ?? {}).map((column) => `${path}.0.${column}`)
    const fields = meta ? metas[meta as keyof Metas].flatMap((g) => g.fields) : []
    return [path, ...rows, ...fields.flatMap((field) => answerNames(field, `${path}.`))]
  })
}

function answerNames({ name, fields = [] }: Field, at: string): string[] {
  return [at + name, ...fields.map((column) => `${at}${name}.0.${column.name}`)]
}

/** A copy of a body with a value at a dotted name; missing objects and rows on the path are created. */
export function withValue(body: Values, path: string, value: unknown): Values {
  const [head, ...rest] = path.split('.')
  if (rest.length === 0) return { ...body, [head]: value }
  const inner = body[head]
  if (/^\d+$/.test(rest[0])) {
    const [row] = Array.isArray(inner) ? inner : [{}]
    const below = rest.slice(1).join('.')
    return { ...body, [head]: [below ? withValue(row ?? {}, below, value) : value] }
  }
  const group = inner !== null && typeof inner === 'object' ? (inner as Values) : {}
  return { ...body, [head]: withValue(group, rest.join('.'), value) }
}
