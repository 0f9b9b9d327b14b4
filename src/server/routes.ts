import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyParametersOf, callOf, isWrite, queryParametersOf, verbOf } from '../contract/call.ts'
import type { Contract } from '../contract/contract.ts'
import type { Endpoint, Lookup } from '../contract/generated.ts'
import { lookupParameters } from '../contract/lookupCall.ts'
import type { Values } from '../contract/when.ts'
import type { Call, Handler } from './call.ts'
import type { Database, Db } from './db.ts'
import { deleteDraft } from './draftOfCall.ts'
import { isExportRequested, sendSheet } from './files/export.ts'
import { readMultipart } from './files/multipart.ts'
import { putFiles } from './files/saveFile.ts'
import { HANDLERS } from './handlers/handlers.ts'
import { runOnce } from './idempotency.ts'
import { isStorable } from './jsonBody.ts'
import { lookupReply } from './lookups/lookupReply.ts'
import { problem } from './problems.ts'
import { rawQuery, readFilters, readQuery, refuseUnknown } from './query.ts'
import { refuseTooManyFiles, refuseTooOften } from './rateLimit.ts'
import type { Settings } from './settings.ts'
import { authenticate, refuseForgery } from './signIn/authenticate.ts'
import { withQueryContext } from './slowQueries.ts'
import { onStandby } from './standby.ts'
import { StartProblem } from './start/startProblem.ts'
import { VERB_HANDLERS } from './verbs/verbs.ts'
import type { VersionEvents } from './versionEvents.ts'

interface RouteDeps extends Omit<Database, 'close'> {
  standby?: Database
  contract: Contract
  settings: Settings
  versionEvents: VersionEvents
}

const LARGEST_ID = 2147483647
/** Bytes of the largest body of a call before sign-in. */
const PUBLIC_BODY = 16 * 1024

/** A route for every descriptor; one without a handler, or a handler without one, stops the boot. */
export function registerRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const used = new Set<string>()
  for (const [name, endpoint] of Object.entries(deps.contract.endpoints)) {
    const handler = handlerOf(deps.contract, name, endpoint)
    if (!verbOf(endpoint)) used.add(endpoint.does)
    registerRoute(app, deps, name, endpoint, handler)
  }
  const idle = Object.keys(HANDLERS).filter((name) => !used.has(name))
  if (idle.length > 0) throw new StartProblem(`No descriptor in schemas/endpoints does ${idle.join(', ')}.`)
  for (const [name, lookup] of Object.entries(deps.contract.lookups)) registerLookup(app, deps, name, lookup)
}

/** What answers a call: its verb's handler, or one of its own. */
export function handlerOf(contract: Contract, name: string, endpoint: Endpoint): Handler {
  const verb = verbOf(endpoint)
  const generic = verb && VERB_HANDLERS[verb.verb]
  if (verb && generic) return (call) => generic(call, contract.entities[verb.entity])
  const handler = HANDLERS[endpoint.does]
  if (!handler)
    throw new StartProblem(
      `'${name}' does '${endpoint.does}', but server/handlers has no function of that name.`,
    )
  return handler
}

function registerRoute(
  app: FastifyInstance,
  deps: RouteDeps,
  name: string,
  endpoint: Endpoint,
  handler: Handler,
  others: string[] = [],
): void {
  const { method, path } = callOf(endpoint)
  const known = queryParametersOf(deps.contract, endpoint)
  const filters = endpoint.filters && bodyParametersOf(deps.contract, endpoint)
  const names = [...Object.keys(known), ...others]
  const changing = isWrite(endpoint)
  const isOwn = endpoint.roles === 'public' || endpoint.transaction === 'own'
  const transactional = !isOwn && changing
  const timed = <T>({ id, span, server: { log } }: FastifyRequest, work: () => T) =>
    withQueryContext({ for: { call: name, id }, log, slow: deps.settings.SLOW_QUERY_MS, span }, work)
  app.route({
    method,
    config: { call: name },
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: bodyLimitOf(endpoint),
    // Before the body is read, so that nobody who is refused makes the server parse one.
    onRequest: async (request) => {
      const authenticating = () =>
        authenticate({ ...deps, db: deps.leastBusy() }, { name, endpoint }, request)
      request.caller = await timed(request, authenticating)
    },
    handler: (request, reply) =>
      timed(request, async () => {
        const me = {
          ...request.caller,
          readsContracts: !changing && deps.settings.COMMISSIONER_READS_RECORDS === 1,
        }
        if (changing) await refuseForgery(request, reply)
        const params = paramsOf(request)
        const raw = rawQuery(request)
        if (!isStorable(raw)) throw problem('badText')
        refuseUnknown(names, raw)
        const query = { ...readQuery(known, raw), ...(filters && readFilters(filters, request.body)) }
        const sent =
          changing && request.isMultipart()
            ? await readMultipart(request, bodyLimitOf(endpoint), endpoint.files)
            : { body: (request.body ?? {}) as Values }
        const exporting = !changing && isExportRequested(raw)
        const db = poolFor(deps, endpoint, exporting)
        await refuseTooOften(deps.db, { name, endpoint, staff: me.id, ip: request.ip, exporting })
        if ('files' in sent) await refuseTooManyFiles(deps.db, me.id, sent.files.length)
        if ('files' in sent && endpoint.keepsFiles) await putFiles(deps.settings, sent.files)
        const { standby, ...others } = deps
        const requested: Call = {
          ...others,
          db,
          name,
          endpoint,
          me,
          params,
          query,
          ...sent,
          request,
          reply,
          exporting,
        }
        const isFromStandby = !changing && (exporting || endpoint.standby)
        const call = standby && isFromStandby ? await onStandby(requested, standby) : requested
        const transact = db === deps.db ? deps.write : deps.transactSlowly
        const result = transactional
          ? await transact((tx) => change({ ...call, db: tx }, handler))
          : await handler(call)
        if (call.exporting) return sendSheet(call, result)
        return reply.send(call.standby ? { ...(result as object), as_at: call.standby.asAt } : result)
      }),
  })
}

/**
 * Which connections a call uses: for signing in those that are kept for it, otherwise by how long it may take. Public
 * calls with a limit are for strangers, whose flood must not keep anybody from signing in.
 */
function poolFor({ db, reserved, slow }: RouteDeps, endpoint: Endpoint, exporting: boolean): Db {
  if (endpoint.roles === 'public' && !endpoint.perMinute) return reserved
  return exporting || endpoint.slow ? slow : db
}

/** The handler inside its transaction: idempotent, and deletes the draft that it was submitted from. */
async function change(call: Call, handler: Handler): Promise<unknown> {
  const result = await runOnce(call, async () => handler(call))
  await deleteDraft(call)
  return result
}

/** Every lookup is a GET for signed-in people, answering a bare list of `{value, label}`. */
function registerLookup(app: FastifyInstance, deps: RouteDeps, name: string, lookup: Lookup): void {
  const endpoint: Endpoint = { call: `GET ${lookup.path}`, does: `lookup ${name}`, roles: 'staff' }
  const parameters = Object.keys(lookupParameters(lookup))
  registerRoute(app, deps, name, endpoint, (call) => lookupReply(call, name), parameters)
}

/** The descriptor's own limit; small before sign-in; undefined: the server's. */
function bodyLimitOf({ bodyLimit, roles }: Endpoint): number | undefined {
  return bodyLimit ?? (roles === 'public' ? PUBLIC_BODY : undefined)
}

/** Parts of the path; an id that no row can have is not found, and never reaches the database. */
function paramsOf(request: FastifyRequest): Call['params'] {
  const params = { ...(request.params as Record<string, string | number>) }
  if (params.id === undefined) return params
  const id = Number(params.id)
  if (!/^\d{1,10}$/.test(String(params.id)) || id > LARGEST_ID) throw problem('notFound')
  return { ...params, id }
}
