import { allows } from '../../../contract/access.ts'
import type { Banner, Cards, DetailScreen, OpenWork } from '../../../contract/generated.ts'
import { holds, isSet, type Values, valueAt } from '../../../contract/when.ts'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import type { ListReply, Row } from '../../core/results.ts'
import { useDelayed } from '../../core/useDelayed.ts'
import { useUser } from '../../core/user.ts'

const MAX_ALERTS = 500
const MAX_OPEN_WORK = 50
const DEFAULT_CARDS = 4
const MAX_WAIT_MS = 1000

export function useAlerts(banner: Banner | undefined, record: Values | undefined) {
  const id = banner && record && valueAt(banner.id, { record })
  return useRead<ListReply>(id ? banner.read : undefined, {
    params: { id },
    query: { page_size: MAX_ALERTS },
  })
}

/** Reads the open work of a record; idle if the condition of the screen's `openWork` does not hold. */
export function useOpenWork(openWork: OpenWork | undefined, record: Values | undefined) {
  const isAsked = openWork && record && holds(openWork.when, { record })
  const id = isAsked ? valueAt(openWork.id, { record }) : undefined
  return useRead<ListReply & { words: string }>(isSet(id) ? openWork!.read : undefined, {
    params: { id },
    query: { page_size: MAX_OPEN_WORK },
  })
}

/** Reads the first rows of a list, for cards. */
export function useCards(cards: Cards | undefined, params: Values) {
  const { roles, endpoints } = useContract()
  const { groups } = useUser()
  const isAllowed = cards && allows(roles, endpoints[cards.list].roles, groups)
  const query = { ...cards?.query, page_size: cards?.rows ?? DEFAULT_CARDS }
  return useRead<ListReply>(isAllowed ? cards.list : undefined, { params, query })
}

/** Reads the summary of the cards' rows; idle while there are none. */
export function useCardsSummary(cards: Cards | undefined, hasRows: boolean, params: Values) {
  return useRead<Row>(hasRows ? cards?.summary?.read : undefined, { params })
}

/**
 * True while the parts above the tabs are read, which would push the tabs down; false after a second, so that the tabs
 * do not wait for long.
 */
export function useWaitsForAbove(screen: DetailScreen, record: Values | undefined, params: Values): boolean {
  const cards = useCards(screen.cards, params)
  const hasCards = (cards.data?.data.length ?? 0) > 0
  const isReading = [
    useAlerts(screen.banner, record),
    useOpenWork(screen.openWork, record),
    cards,
    useCardsSummary(screen.cards, hasCards, params),
  ].some(({ isLoading }) => isLoading)
  return !useDelayed(isReading, MAX_WAIT_MS) && isReading
}
