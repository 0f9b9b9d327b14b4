import type { ListScreen } from '../../contract/generated.ts'
import type { RenderedColumn } from '../cells/columns.ts'
import { hasColumnChoice } from '../list/columnChoice.ts'
import type { ListState } from '../list/listState.ts'

/** A view as the server replies it; `query` holds texts as the address does. */
export interface SavedView extends ViewContent {
  id: number
  version: number
  staff: number
  owner_name: string | null
  screen: string
  name: string
  shared: 'team' | 'hub' | null
}

/** What a view says of its list. */
export interface ViewContent {
  query: Record<string, string>
  /** Fields with commas between; null: those that the list shows by itself. */
  columns: string | null
}

/** What a list shows now, as a view holds it. */
export function contentOf(
  { relative, sort }: ListState,
  screen: ListScreen,
  shown: RenderedColumn[],
): ViewContent {
  return {
    query: { ...relative, ...(sort && { sort: `${sort.descending ? '-' : ''}${sort.field}` }) },
    columns: !hasColumnChoice(screen) ? null : shown.map(({ field }) => field).join(),
  }
}

/** Whether a list shows something else than its view says. */
export function isChanged(view: ViewContent, { query, columns }: ViewContent): boolean {
  const names = new Set([...Object.keys(view.query), ...Object.keys(query)])
  const differs = [...names].some((name) => view.query[name] !== query[name])
  // Of a report the columns are not chosen, whatever an older view says of them.
  return differs || (view.columns !== null && columns !== null && view.columns !== columns)
}

const SHARED = { team: 'the team', hub: 'the hub' }

/** Whose a view is and who else sees it: 'Yours, shared with the team'. */
export function describeOwner({ staff, owner_name, shared }: SavedView, me: number): string {
  if (staff !== me)
    return `Shared by ${owner_name ?? 'a colleague'}${shared ? ` with ${SHARED[shared]}` : ''}`
  return shared ? `Yours, shared with ${SHARED[shared]}` : 'Yours alone'
}
