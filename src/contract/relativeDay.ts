const DAY = /^\d{4}-\d\d-\d\d$/
const BEFORE = /^-(\d{1,3})d$/
const DAY_MS = 86_400_000

/** The day, YYYY-MM-DD, that a text names: a day itself, 'today', or '-7d' for seven days before today; else undefined. */
export function relativeDay(text: string, today: string): string | undefined {
  if (text === 'today') return today
  const before = BEFORE.exec(text)
  if (before)
    return new Date(Date.parse(`${today}T00:00:00Z`) - Number(before[1]) * DAY_MS).toISOString().slice(0, 10)
  return DAY.test(text) ? text : undefined
}
