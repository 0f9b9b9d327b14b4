import { useRead } from '../../core/calls.ts'
import type { SavedView } from './savedView.ts'

const NONE: SavedView[] = []

/** The saved views of a list, by its screen's name: the user's own and those shared with them. */
export function useSavedViews(screen: string | undefined) {
  const { data, error, refetch } = useRead<{ data: SavedView[] }>(screen && 'savedViews.list', {
    query: { screen },
  })
  return { views: data?.data ?? NONE, isLoaded: data !== undefined, error, refetch }
}
