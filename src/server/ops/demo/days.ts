const MILLISECONDS = 86_400_000

/** Office hours in minutes after midnight: rows are created in the morning and changed in the afternoon. */
export const MORNING: [number, number] = [540, 700]
export const AFTERNOON: [number, number] = [780, 1020]

/** Converts YYYY-MM-DD to a number of days since 1970. */
export function dayOf(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / MILLISECONDS
}

/** Converts a number of days since 1970 to YYYY-MM-DD. */
export function dateOf(day: number): string {
  return new Date(day * MILLISECONDS).toISOString().slice(0, 10)
}

/** A time on a day, as ISO in UTC; `minutes` after midnight. */
export function timeOf(day: number, minutes: number): string {
  return new Date(day * MILLISECONDS + minutes * 60_000).toISOString()
}
