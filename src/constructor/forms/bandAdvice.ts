import { type Band, bandsOf } from '../../contract/choose.ts'
import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import { describeLimits } from '../../contract/meta/describeCalculation.ts'
import { quoted } from '../../contract/quoted.ts'

/** Sentences about bands of a number that leave some numbers out or overlap. */
export function bandAdvice(field: Field, numberAt: (path: string) => Field | undefined): string[] {
  const found = field.attrs?.choose && bandsOf(field.attrs.choose)
  const number = found && numberAt(found.of)
  if (!found || !number) return []
  const name = quoted(field.label, field.name)
  const step = FIELD_TYPES[number.type].isWhole ? 1 : 0
  const sorted = found.bands.toSorted((a, b) => lowest(a) - lowest(b))
  const gaps: string[] = []
  for (const [i, band] of sorted.entries()) {
    const end = Math.max(...sorted.slice(0, i).map(highest))
    if (i > 0 && lowest(band) > end + step) gaps.push(gapBetween(end, lowest(band), step))
  }
  return [
    ...gaps.map((gap) => `No band of ${name} has ${gap}: such numbers get the value under ‘Otherwise’`),
    ...overlaps(found.bands).map(([first, second]) =>
      contains(first, second)
        ? `The band ${describeLimits(second)} of ${name} is never used: ${describeLimits(first)} comes before it and has all its numbers`
        : `Two bands of ${name} have ${describeLimits(overlapOf(first, second))}: these get the value of the first, ${describeLimits(first)}`,
    ),
  ]
}

function gapBetween(end: number, start: number, step: number): string {
  if (step === 0) return `what lies between ${end} and ${start}`
  return describeLimits({ min: end + step, max: start - step })
}

/**
 * Pairs of overlapping bands in their order. A wider band after a narrower one is no mistake: it has the other numbers.
 */
function overlaps(bands: Band[]): [Band, Band][] {
  return bands.flatMap((second, i) => {
    const first = bands
      .slice(0, i)
      .find((one) => isMeeting(one, second) && (contains(one, second) || !contains(second, one)))
    return first ? [[first, second] as [Band, Band]] : []
  })
}

function isMeeting(one: Band, other: Band): boolean {
  return lowest(one) <= highest(other) && lowest(other) <= highest(one)
}

function contains(outer: Band, inner: Band): boolean {
  return lowest(outer) <= lowest(inner) && highest(inner) <= highest(outer)
}

function overlapOf(one: Band, other: Band): Band {
  const [min, max] = [Math.max(lowest(one), lowest(other)), Math.min(highest(one), highest(other))]
  return { ...(Number.isFinite(min) && { min }), ...(Number.isFinite(max) && { max }) }
}

function lowest({ min }: Band): number {
  return min ?? -Infinity
}

function highest({ max }: Band): number {
  return max ?? Infinity
}
