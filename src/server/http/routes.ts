import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyParametersOf, callOf, isWrite, queryParametersOf, verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Endpoint, Lookup } from '../../contract/generated.ts'
import { MAX_INTEGER } from '../../contract/limits.ts'
import { lookupParameters } from '../../contract/lookupCall.ts'
import type { Values } from '../../contract/when.ts'
import { authenticate, refuseForgery } from '../access/authenticate.ts'
import { asReader, asWriter } from '../access/principals.ts'
import { enforceFileQuota } from '../access/quotas.ts'
import { enforceFileLimit, enforceRateLimits } from '../access/rateLimit.ts'
import { needsStepUp, refuseStale } from '../access/stepUp.ts'
import { runCallbacks } from '../core/afterReply.ts'
import type { Call, Handler } from '../core/call.ts'
import type { Database, Db } from '../core/db.ts'
import { isStorable } from '../core/isStorable.ts'
import { problem } from '../core/problems.ts'
import { repeatDeadlocked } from '../core/repeatDeadlocked.ts'
import type { Settings } from '../core/settings.ts'
import { withQueryContext } from '../core/slowQueries.ts'
import { onStandby } from '../core/standby.ts'
import { StartProblem } from '../core/startProblem.ts'
import type { TypedContract } from '../core/typedRows.ts'
import type { VersionEvents } from '../core/versionEvents.ts'
import { evaluateChanged } from '../features/automations/changedCases.ts'
import { refuseHeld } from '../features/automations/refuseHeld.ts'
import { HANDLERS } from '../features/handlers.ts'
import { isExportRequested, sendSheet } from '../records/files/export.ts'
import { readMultipart } from '../records/files/multipart.ts'
import { putFiles } from '../records/files/saveFile.ts'
import { lookupReply } from '../records/lookups/lookupReply.ts'
import { rawQuery, readFilters, readQuery, refuseUnknown } from '../records/query/query.ts'
import { deleteDraft } from '../records/verbs/draftOfCall.ts'
import { VERB_HANDLERS } from '../records/verbs/verbs.ts'
import { runOnce } from './idempotency.ts'
import { byMergedNumber } from './mergedNumber.ts'

interface RouteDeps extends Omit<Database, 'close'> {
  standby?: Database
  contract: Contract
  settings: Settings
  versionEvents: VersionEvents
}

/** Maximum bytes of the body of a public call. */
const PUBLIC_BODY_LIMIT = 16 * 1024

/**
 * Registers a route for every descriptor and lookup; throws a StartProblem for a handler or descriptor without the
 * other.
 */
export function registerRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const used = new Set<string>()
  for (const [name, endpoint] of Object.entries(deps.contract.endpoints)) {
    const handler = handlerOf(deps.contract, name, endpoint)
    if (!verbOf(endpoint)) used.add(endpoint.does)
    registerRoute(app, deps, name, endpoint, handler)
  }
  const unused = Object.keys(HANDLERS).filter((name) => !used.has(name))
  if (unused.length > 0)
    throw new StartProblem(`No descriptor in schemas/endpoints does ${unused.join(', ')}.`)
  for (const [name, lookup] of Object.entries(deps.contract.lookups)) registerLookup(app, deps, name, lookup)
}

/** The function of a call: that of its generic verb, or a named handler. */
export function handlerOf(contract: Contract, name: string, endpoint: Endpoint): Handler {
  const verb = verbOf(endpoint)
  const generic = verb && VERB_HANDLERS[verb.verb]
  if (verb && generic) return (call) => generic(call, contract.entities[verb.entity])
  const handler = HANDLERS[endpoint.does]
  if (!handler)
    throw new StartProblem(
      `'${name}' does '${endpoint.does}', but server/features/handlers.ts has no function of that name.`,
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
  const isWriteCall = isWrite(endpoint)
  const managesOwnTransaction = endpoint.roles === 'public' || endpoint.transaction === 'own'
  const transactional = !managesOwnTransaction && isWriteCall
  const withContext = <T>({ id, span, server: { log } }: FastifyRequest, work: () => T) =>
    withQueryContext({ for: { call: name, id }, log, slow: deps.settings.SLOW_QUERY_MS, span }, work)
  const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
  if (method === 'GET' && isWriteCall)
    app.head(url, (_, reply) => reply.code(405).header('allow', 'GET').send())
  app.route({
    method,
    config: { call: name },
    url,
    // A HEAD must not change anything.
    exposeHeadRoute: !isWriteCall,
    bodyLimit: bodyLimitOf(endpoint),
    // Authenticates before the body is parsed, so that a rejected call costs no parsing.
    onRequest: async (request) => {
      const authenticating = () =>
        authenticate({ ...deps, db: deps.leastBusy() }, { name, endpoint }, request)
      request.caller = await withContext(request, authenticating)
    },
    handler: (request, reply) =>
      withContext(request, async () => {
        const { OLD_CASE_DAYS } = deps.settings
        const reader = { ...asReader(request.caller, deps.settings), oldCaseDays: OLD_CASE_DAYS }
        const me = isWriteCall ? asWriter(reader) : reader
        if (isWriteCall) await refuseForgery(request, reply)
        const params = paramsOf(endpoint, request)
        const raw = rawQuery(request)
        if (!isStorable(raw)) throw problem('badText')
        refuseUnknown(names, raw)
        const query = { ...readQuery(known, raw), ...(filters && readFilters(filters, request.body)) }
        const sent =
          isWriteCall && request.isMultipart()
            ? await readMultipart(request, bodyLimitOf(endpoint), endpoint.files)
            : { body: (request.body ?? {}) as Values }
        if (needsStepUp(endpoint, sent.body, deps.settings))
          await refuseStale({ db: deps.db, settings: deps.settings, request })
        const exporting = !isWriteCall && isExportRequested(raw)
        const db = poolFor(deps, endpoint, exporting)
        await enforceRateLimits(deps.db, { name, endpoint, staff: me.id, ip: request.ip, exporting })
        if ('files' in sent) {
          await enforceFileLimit(deps.db, me.id, sent.files.length)
          await enforceFileQuota(deps.db, me.id, sent.files)
        }
        if ('files' in sent && endpoint.keepsFiles) await putFiles(deps.settings, sent.files)
        const { standby, ...others } = deps
        const requested: Call = {
          ...others,
          contract: deps.contract as TypedContract,
          db,
          name,
          endpoint,
          me,
          params,
          query,
          ...sent,
          request,
          reply,
          callbacks: [],
          exporting,
        }
        const isFromStandby = !isWriteCall && (exporting || endpoint.standby)
        const call = standby && isFromStandby ? await onStandby(requested, standby) : requested
        const transact = db === deps.db ? deps.write : deps.slowTransaction
        const attempt = (one: Call) => {
          // An attempt that was rolled back must leave nothing to do after the reply.
          one.callbacks.length = 0
          return transact((tx) => change({ ...one, db: tx }, handler, deps.leastBusy))
        }
        const run = (one: Call) => (transactional ? repeatDeadlocked(() => attempt(one)) : handler(one))
        const result = await byMergedNumber(call, run)
        runCallbacks(call)
        if (call.exporting) return sendSheet(call, result)
        return reply.send(call.standby ? { ...(result as object), as_at: call.standby.asAt } : result)
      }),
  })
}

/**
 * The pool of a call: the reserved one for signing in, otherwise by how long the call may take. Public calls with a
 * rate limit do not use the reserved pool, because a flood of them must not block signing in.
 */
function poolFor({ db, reserved, slow }: RouteDeps, endpoint: Endpoint, exporting: boolean): Db {
  if (endpoint.roles === 'public' && !endpoint.perMinute) return reserved
  return exporting || endpoint.slow ? slow : db
}

/**
 * Runs the handler inside its transaction idempotently unless a hold refuses it, deletes the draft that the call was
 * submitted from, and evaluates the automations of what has changed.
 */
async function change(call: Call, handler: Handler, committed: () => Db): Promise<unknown> {
  const result = await runOnce(call, async () => {
    await refuseHeld(call)
    return handler(call)
  })
  await Promise.all([deleteDraft(call), evaluateChanged(call, { committed })])
  return result
}

/** Registers a lookup as a GET for signed-in people, which returns a list of `{value, label}`. */
function registerLookup(app: FastifyInstance, deps: RouteDeps, name: string, lookup: Lookup): void {
  const endpoint: Endpoint = { call: `GET ${lookup.path}`, does: `lookup ${name}`, roles: 'staff' }
  const parameters = Object.keys(lookupParameters(lookup))
  registerRoute(app, deps, name, endpoint, (call) => lookupReply(call, name), parameters)
}

/**
 * Maximum bytes of a body: that of the descriptor, else a small one for public calls; undefined: that of the server.
 */
function bodyLimitOf({ bodyLimit, roles }: Endpoint): number | undefined {
  return bodyLimit ?? (roles === 'public' ? PUBLIC_BODY_LIMIT : undefined)
}

/**
 * Path parameters; throws the 404 for a value that the endpoint does not take, and for an id that no row can have, so
 * that it never reaches the database.
 */
function paramsOf({ parts = {} }: Endpoint, request: FastifyRequest): Call['params'] {
  const params = { ...(request.params as Record<string, string | number>) }
  for (const [name, taken] of Object.entries(parts))
    if (!taken.includes(String(params[name]))) throw problem('notFound')
  if (params.id === undefined) return params
  const id = Number(params.id)
  if (!/^\d{1,10}$/.test(String(params.id)) || id > MAX_INTEGER) throw problem('notFound')
  return { ...params, id }
}
