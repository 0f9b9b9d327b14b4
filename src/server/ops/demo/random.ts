/** A deterministic source of random values. */
export interface Random {
  /** True with a probability between 0 and 1. */
  chance(probability: number): boolean
  /** A whole number, including both ends. */
  between(from: number, to: number): number
  pick<T>(list: readonly T[]): T
  /** One of a list, with the first ones more likely. */
  likely<T>(list: readonly T[]): T
  /** One of a list, by weight. */
  weighted<T>(list: readonly T[], weightOf: (one: T) => number): T
  /** One to `most` distinct items of a list, in its order. */
  some<T>(list: readonly T[], most: number): T[]
}

/** Mulberry32: the same numbers from the same seed on every machine. */
export function seeded(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)]
  return {
    between,
    pick,
    chance: (probability) => next() < probability,
    likely: (list) => list[Math.floor(next() ** 2 * list.length)],
    weighted: (list, weightOf) => {
      let left = next() * list.reduce((sum, one) => sum + weightOf(one), 0)
      for (const one of list) {
        left -= weightOf(one)
        if (left < 0) return one
      }
      return list[0]
    },
    some: (list, most) => {
      const picked = new Set(Array.from({ length: between(1, most) }, () => pick(list)))
      return list.filter((one) => picked.has(one))
    },
  }
}
