import type { Random } from './random.ts'

type DaysAgo = [from: number, to: number]
/** A course of a case, in days before today. */
interface Plot {
  began: DaysAgo
  /** For closed cases only. */
  ended?: DaysAgo
  /** Last change of an open case. */
  touched?: DaysAgo
  /** Probabilities that a hub took it in, and that an open issue has no advocate yet. */
  hub: number
  waiting: number
  /** Weights of this course among present clients, and among archived ones. */
  now: number
  archive: number
}
/** Start and end of a case, as numbers of days. */
export interface Story {
  began: number
  /** Undefined while it is open. */
  ended?: number
  touched: number
  hub: boolean
  waiting: number
}

const PLOTS: Plot[] = [
  { began: [1, 14], touched: [1, 5], hub: 0.6, waiting: 0.75, now: 15, archive: 1 },
  { began: [15, 330], touched: [1, 70], hub: 0.4, waiting: 0.06, now: 38, archive: 9 },
  { began: [430, 900], touched: [366, 420], hub: 0.3, waiting: 0, now: 7, archive: 2 },
  { began: [60, 420], ended: [2, 330], hub: 0.3, waiting: 0, now: 24, archive: 18 },
  { began: [500, 1500], ended: [367, 490], hub: 0.3, waiting: 0, now: 16, archive: 70 },
]

/** Makes the course of a case; `archive` is for archived clients. */
export function makeStory(random: Random, today: number, archive: boolean): Story {
  const plot = random.weighted(PLOTS, (one) => (archive ? one.archive : one.now))
  const began = today - random.between(...plot.began)
  const day = (ago: DaysAgo) => Math.max(began + 1, today - random.between(...ago))
  const ended = plot.ended && day(plot.ended)
  const touched = ended ?? (plot.touched ? Math.min(day(plot.touched), today - 1) : began)
  return { began, ended, touched, hub: random.chance(plot.hub), waiting: plot.waiting }
}
