import { allows } from '../../../contract/access.ts'
import type { Banner, Cards, DetailScreen, OpenWork } from '../../../contract/generated.ts'
import { holds, isSet, type Values, valueAt } from '../../../contract/when.ts'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import type { ListReply, Row } from '../../core/results.ts'
import { useDelayed } from '../../core/useDelayed.ts'
import { useUser } from '../../core/user.ts'

const MOST_ALERTS = 500
const MOST_WORK = 50
const FEW_CARDS = 4
const LONGEST_WAIT_MS = 1000

export function useAlerts(banner: Banner | undefined, record: Values | undefined) {
  const id = banner && record && valueAt(banner.id, { record })
  return useRead<ListReply>(id ? banner.read : undefined, {
    params: { id },
    query: { page_size: MOST_ALERTS },
  })
}

/** Reads what a record leaves undone; nothing where it asks nothing. */
export function useOpenWork(openWork: OpenWork | undefined, record: Values | undefined) {
  const isAsked = openWork && record && holds(openWork.when, { record })
  const id = isAsked ? valueAt(openWork.id, { record }) : undefined
  return useRead<ListReply & { words: string }>(isSet(id) ? openWork!.read : undefined, {
    params: { id },
    query: { page_size: MOST_WORK },
  })
}

/** Reads the first rows of a list, for cards. */
export function useCards(cards: Cards | undefined, params: Values) {
  const { roles, endpoints } = useContract()
  const { groups } = useUser()
  const isAllowed = cards && allows(roles, endpoints[cards.list].roles, groups)
  const query = { ...cards?.query, page_size: cards?.rows ?? FEW_CARDS }
  return useRead<ListReply>(isAllowed ? cards.list : undefined, { params, query })
}

/** Reads what the rows of the cards come to. */
export function useCardsSummary(cards: Cards | undefined, hasRows: boolean, params: Values) {
  return useRead<Row>(hasRows ? cards?.summary?.read : undefined, { params })
}

/** True while what stands above the tabs is read, which would push them down; after a second they do not wait for it. */
export function useWaitsForAbove(screen: DetailScreen, record: Values | undefined, params: Values): boolean {
  const cards = useCards(screen.cards, params)
  const hasCards = (cards.data?.data.length ?? 0) > 0
  const isReading = [
    useAlerts(screen.banner, record),
    useOpenWork(screen.openWork, record),
    cards,
    useCardsSummary(screen.cards, hasCards, params),
  ].some(({ isLoading }) => isLoading)
  return !useDelayed(isReading, LONGEST_WAIT_MS) && isReading
}
