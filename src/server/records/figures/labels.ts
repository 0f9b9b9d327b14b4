import { compareLabels } from '../../../contract/compareKey.ts'
import type { Entity, Property } from '../../../contract/generated.ts'
import { NOT_SAID } from '../../../contract/listFilters.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { choicesOf } from '../lookups/choices.ts'

/** Numbers by measure of the rows with these values of the dimensions; null is a missing value. */
export interface Group {
  values: (string | number | null)[]
  numbers: Row
}
type Value = Group['values'][number]
export type Labels = (value: Value) => string

/** For each dimension, the labels of its values in these groups, including retired lookup items. */
export function labelsOf(
  call: Call,
  { properties }: Entity,
  by: string[],
  groups: Group[],
): Promise<Labels[]> {
  return Promise.all(by.map((name, i) => labelsOfOne(call, properties[name], groups, i)))
}

async function labelsOfOne(
  call: Call,
  { lookup, options = [] }: Property,
  groups: Group[],
  at: number,
): Promise<Labels> {
  const ids = [...new Set(groups.map(({ values }) => values[at]))].filter((id) => typeof id === 'number')
  const items = lookup && ids.length > 0 ? await choicesOf(call, lookup, { active: 'false' }, ids) : options
  const names = new Map(items.map(({ value, label }) => [value, label]))
  return (value) => (value === null ? NOT_SAID : (names.get(value) ?? String(value)))
}

/** Compares groups by dimension: options in their order, other values by label, missing values last. */
export function groupOrder(
  { properties }: Entity,
  by: string[],
  labels: Labels[],
): (a: Group, b: Group) => number {
  const compare = by.map((name, i) => valueOrder(properties[name], labels[i]))
  return (a, b) => compare.reduce((order, one, i) => order || one(a.values[i], b.values[i]), 0)
}

function valueOrder({ options }: Property, label: Labels): (a: Value, b: Value) => number {
  const place = (value: Value) => options!.findIndex((option) => option.value === value)
  return (a, b) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return options ? place(a) - place(b) : compareLabels(label(a), label(b))
  }
}
