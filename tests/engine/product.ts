import { Icons } from '@blueprintjs/icons'
import type { Group } from '../../src/contract/generated.ts'
import caseTypes from '../../src/server/ops/demo/case-types.json' with { type: 'json' }
import lookups from '../../src/server/ops/demo/lookups.json' with { type: 'json' }
import { contract } from '../loadedContract.ts'
import type { Handlers } from './fakeServer.ts'

// Preloaded icons are rendered at once, without a second render.
await Icons.load(['plus', 'trash', 'search', 'download'], 16)

interface CaseType {
  value: number
  label: string
  service: number
  case_meta: Group[]
  issue_meta: Group[]
}
/** The case types of the demo. */
export const CASE_TYPES = caseTypes as unknown as CaseType[]

type Item = Record<string, unknown>
const ITEMS = { case_type: CASE_TYPES, ...lookups } as unknown as Record<string, Item[] | undefined>

/** Handlers of every lookup with the demo's items: the active ones or the requested ids, filtered by its parameters. */
export const lookupHandlers: Handlers = Object.fromEntries(
  Object.entries(contract.lookups).map(([name, { path }]) => [
    `GET ${path}`,
    ({ query: { id, active, role: _, ...others } }) => {
      const ids = id as unknown[] | undefined
      const found = (ITEMS[name] ?? []).filter(
        (item) =>
          (ids ? ids.includes(item.value) : active === false || item.active !== false) &&
          Object.entries(others).every(
            ([key, value]) => !(key in item) || String(item[key]) === String(value),
          ),
      )
      return { data: found }
    },
  ]),
)
