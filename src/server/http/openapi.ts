import {
  bodyParametersOf,
  callOf,
  entityOfCall,
  isListing,
  partsOf,
  queryParametersOf,
  verbOf,
} from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Endpoint, Parameter } from '../../contract/generated.ts'
import { EXPORTS_PER_MINUTE } from '../../contract/limits.ts'
import { LOOKUP_LIMIT, lookupParameters, TOTAL_COUNT } from '../../contract/lookupCall.ts'
import { forCreate, forList, forReply, forUpdate } from './wire.ts'

/** The OpenAPI 3.1 document of all calls, from the same descriptors as the routes. */
export function openapi(contract: Contract, title: string): object {
  const paths: Record<string, Record<string, object>> = {}
  const add = (path: string, method: string, operation: object) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const [name, endpoint] of Object.entries(contract.endpoints)) {
    const { method, path } = callOf(endpoint)
    add(path, method, operation(contract, name, endpoint))
  }
  for (const [name, lookup] of Object.entries(contract.lookups)) {
    const parameters = Object.entries(lookupParameters(lookup)).map(
      ([key, { type, description, isRepeatable }]) => ({
        name: key,
        in: 'query',
        description,
        schema: isRepeatable ? { type: 'array', items: { type } } : { type },
      }),
    )
    add(lookup.path, 'GET', {
      operationId: `lookups.${name}`,
      summary: lookup.title,
      tags: ['lookups'],
      parameters,
      responses: ITEMS,
    })
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    components: {
      schemas: {
        ...Object.fromEntries(Object.entries(contract.entities).map(([name, e]) => [name, forReply(e)])),
        refusal: REFUSAL,
      },
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: "'Token ' and the key of POST /login/",
        },
      },
    },
    security: [{ token: [] }],
    paths,
  }
}

const REFUSAL = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  required: ['code', 'message'],
}

const { 200: ok } = json({
  type: 'array',
  items: {
    type: 'object',
    properties: { value: {}, label: { type: 'string' }, active: { type: 'boolean' } },
  },
})
const ITEMS = {
  200: {
    ...ok,
    headers: {
      [TOTAL_COUNT]: {
        description: `How many choices match; the reply holds the first ${LOOKUP_LIMIT} of them.`,
        schema: { type: 'integer' },
      },
    },
  },
}

const TOO_OFTEN = {
  429: {
    description: 'One person called more often within a minute than x-per-minute says',
    headers: { 'Retry-After': { description: 'Seconds until the next minute', schema: { type: 'integer' } } },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/refusal' } } },
  },
}

/** Path parameters that are numbers. */
const NUMERIC_PARAMETERS = new Set(['id', 'version'])

function operation(contract: Contract, name: string, endpoint: Endpoint): object {
  const verb = verbOf(endpoint)?.verb
  const limit = limitOf(endpoint)
  const entity = contract.entities[entityOfCall(contract, name) ?? '']
  const body = bodyOf(contract, endpoint)
  const inPath = partsOf(callOf(endpoint).path).map((part) => ({
    name: part,
    in: 'path',
    required: true,
    schema: {
      type: NUMERIC_PARAMETERS.has(part) ? 'integer' : 'string',
      ...(endpoint.parts?.[part] && { enum: endpoint.parts[part] }),
    },
  }))
  const inQuery = Object.entries(queryParametersOf(contract, endpoint)).map(([key, parameter]) => ({
    name: key,
    in: 'query',
    schema: schemaOf(parameter),
  }))
  const reply = entity
    ? isListing(verb)
      ? forList(entity)
      : { $ref: `#/components/schemas/${entity.$id}` }
    : {}
  return {
    operationId: name,
    summary: endpoint.does,
    ...(endpoint.why && { description: endpoint.why }),
    tags: [name.split('.')[0]],
    'x-roles': endpoint.roles,
    ...(endpoint.roles === 'public' && { security: [] }),
    parameters: [...inPath, ...inQuery],
    ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    ...(limit && { 'x-per-minute': limit }),
    responses: { ...json(reply), ...(limit && TOO_OFTEN) },
  }
}

/** Calls per person and minute: of the call, and of its export as an Excel file. */
function limitOf({ perMinute, query }: Endpoint): object | undefined {
  const isExported = query?.includes('exported')
  if (!perMinute && !isExported) return undefined
  return { ...(perMinute && { calls: perMinute }), ...(isExported && { exports: EXPORTS_PER_MINUTE }) }
}

function schemaOf({ type }: Parameter): object {
  return type === 'date' ? { type: 'string', format: 'date' } : { type }
}

function bodyOf(contract: Contract, endpoint: Endpoint): object | undefined {
  if (endpoint.filters) {
    const filters = Object.entries(bodyParametersOf(contract, endpoint))
    const properties = Object.fromEntries(filters.map(([key, parameter]) => [key, schemaOf(parameter)]))
    return { type: 'object', additionalProperties: false, properties }
  }
  if (endpoint.body) return forCreate(contract.bodies[endpoint.body])
  const verb = verbOf(endpoint)
  const entity = contract.entities[endpoint.writes ?? verb?.entity ?? '']
  const isNew = endpoint.writes ? callOf(endpoint).method === 'POST' : verb?.verb === 'create'
  if (isNew) return forCreate(entity)
  if (endpoint.writes || verb?.verb === 'update') return forUpdate(entity)
  return undefined
}

function json(schema: object) {
  return { 200: { description: 'OK', content: { 'application/json': { schema } } } }
}
