const MILLISECONDS = 86_400_000

/** Office hours, in minutes after midnight: things begin before noon and are touched after. */
export const MORNING: [number, number] = [540, 700]
export const AFTERNOON: [number, number] = [780, 1020]

/** A day as a number, counted from 1970: dates add up and compare as numbers. */
export function dayOf(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / MILLISECONDS
}

/** YYYY-MM-DD. */
export function dateOf(day: number): string {
  return new Date(day * MILLISECONDS).toISOString().slice(0, 10)
}

/** A point of time on a day, ISO in UTC; `minutes` after midnight. */
export function timeOf(day: number, minutes: number): string {
  return new Date(day * MILLISECONDS + minutes * 60_000).toISOString()
}
