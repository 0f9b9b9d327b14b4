/** A choice of fixed options or of a lookup. */
interface Choice {
  value: number | string
  label: string
}
/** A weekday with the choices of its morning and afternoon. */
export interface Day<C extends Choice> {
  name: string
  am: C
  pm: C
}
interface Week<C extends Choice> {
  days: Day<C>[]
  /** Choices other than half-days. */
  others: C[]
}

/** Groups choices with values like `x_am` and `x_pm` ('Monday morning') by weekday; undefined if there are none. */
export function weekOf<C extends Choice>(choices: C[]): Week<C> | undefined {
  const byValue = new Map(choices.map((choice) => [String(choice.value), choice]))
  const days = choices.flatMap((am) => {
    const pm = byValue.get(String(am.value).replace(/_am$/, '_pm'))
    return pm && pm !== am ? [{ name: am.label.replace(/ morning$/i, ''), am, pm }] : []
  })
  if (days.length === 0) return undefined
  const halves = new Set(days.flatMap(({ am, pm }) => [am, pm]))
  return { days, others: choices.filter((choice) => !halves.has(choice)) }
}

/** The chosen choices in words, both halves of a day as one: 'Email, Monday morning and afternoon, Friday morning'. */
export function formatWeek<C extends Choice>({ days, others }: Week<C>, chosen: unknown[]): string {
  const has = ({ value }: Choice) => chosen.includes(value)
  const words = days.map(({ name, am, pm }) => {
    if (has(am) && has(pm)) return `${name} morning and afternoon`
    return [am, pm].find(has)?.label
  })
  return [...others.filter(has).map(({ label }) => label), ...words].filter(Boolean).join(', ')
}
