import { fromSource } from '../fromSource.mjs'

const { allows } = await fromSource('src/contract/access.ts')
const { callOf, isWrite, queryParametersOf } = await fromSource('src/contract/call.ts')

/** Calls whose reply is no JSON of its own, or never ends, or is of the settings. */
const LEFT_OUT = /^(versionEvents|files|admin|axes|passwords|publicReferrals|addresses)\./
/** A search's words that many names have. */
const TERM = 'an'

/** The paths of every reading call that a person may make, by name, and of lists by every field they are ordered by. */
export async function dailyCalls(contract, { get }) {
  const json = async (path) => (await get(path)).json()
  const { groups } = await json('/api/staff/me/info')
  const ids = await recordsOf(json)
  const calls = new Map()
  for (const [name, endpoint] of Object.entries(contract.endpoints)) {
    const { method, path } = callOf(endpoint)
    if (
      method !== 'GET' ||
      isWrite(endpoint) ||
      LEFT_OUT.test(name) ||
      !allows(contract.roles, endpoint.roles, groups)
    )
      continue
    const place = ids[name.split('.')[0]]
    if (path.includes('{') && (place === undefined || !/^[^{]*\{id\}[^{]*$/.test(path))) continue
    const filled = path.replace('{id}', place)
    const known = queryParametersOf(contract, endpoint)
    calls.set(name, filled)
    if (known.term) calls.set(`${name} by term`, `${filled}?term=${TERM}`)
    if (!known.order_by) continue
    for (const field of orderedBy(contract, name))
      for (const order of [field, `-${field}`])
        calls.set(`${name} by ${order}`, `${filled}?order_by=${order}`)
  }
  return calls
}

/** The fields by which the screens that show a call's list let people sort it. */
function orderedBy(contract, name) {
  const fields = new Set()
  const look = (part) => {
    if (part === null || typeof part !== 'object') return
    if (part.source === name || part.source?.call === name)
      for (const column of part.columns ?? []) if (column.sort) fields.add(column.field)
    Object.values(part).forEach(look)
  }
  Object.values(contract.screens).forEach(look)
  return fields
}

/** Ids of the first records that a person finds, by the beginning of the calls' names. */
async function recordsOf(json) {
  const { order = [] } = await json('/cases/')
  const me = await json('/api/staff/me/info')
  // Of a case that they made people may see no issue.
  const [id, issue] = await firstWithIssue(json, order)
  return {
    cases: id,
    issues: issue.id,
    clients: issue.client,
    staff: issue.advocate ?? me.id,
    caseTypes: 1,
  }
}

async function firstWithIssue(json, ids) {
  for (const id of ids) {
    const [issue] = (await json(`/case/${id}/issues/`)).data
    if (issue) return [id, issue]
  }
  throw new Error(`None of the first ${ids.length} cases has an issue`)
}
