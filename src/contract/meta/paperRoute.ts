import { isEqual } from '../applyChanges.ts'
import type { Field, Group } from '../generated.ts'
import { holds, isOtherPath, operandsOf, pathsOf, type Test, type When } from '../when.ts'
import { isOnPage } from './questionNumbers.ts'

/** Where a reader goes on: at a question, at a part of the form, or at its end. */
export type Target = Field | Group | 'end'
/** What the reader of a form on paper does at a question (or note). */
export interface Stop {
  field: Field
  /** Answered only if all of these hold; otherwise the reader goes to `skipTo`, or just on. */
  onlyIf: When[]
  skipTo?: Target
  /** After answering: go on while this holds for the answer, otherwise to `to`. */
  jump?: { goOn: When; to: Target }
}
/** A part of the form, passed over as a whole unless all of `onlyIf` hold. */
export interface Part {
  group: Group
  onlyIf: When[]
  stops: Stop[]
}

/**
 * How a form is read on paper, from its conditions: a question that decides about those right behind it says where to go
 * on, every other condition is said where it applies. Whoever follows it answers what the form on a screen would ask.
 */
export function paperRoute(all: Group[]): Part[] {
  const groups = withoutImpossible(all)
  const implied = impliedBy(groups)
  return groups.map((group, g) => {
    const next: Target = groups[g + 1] ?? 'end'
    const ofGroup = atomsOf(group.attrs?.when)
    const said = group.fields.map(() => [...ofGroup])
    const stops: Stop[] = group.fields.map((field) => ({ field, onlyIf: [] }))
    for (const [i, stop] of stops.entries()) {
      const found = jumpAt(group.fields, i, implied)
      const after = found && (questionFrom(group.fields, found.end) ?? next)
      if (found) {
        stop.jump = { goOn: found.atom, to: after! }
        for (let k = i + 1; k < found.end; k++) said[k].push(found.atom)
      }
      stop.onlyIf = atomsOf(stop.field.attrs?.when).filter((atom) => !contains(said[i], atom))
      // Whoever does not come to the question does not read its jump.
      if (stop.onlyIf.length > 0 && found && needsAnswer(found.atom)) stop.skipTo = after
    }
    return { group, onlyIf: ofGroup, stops }
  })
}

/** A condition as conditions of one test each, all of which must hold. */
function atomsOf(when: When | undefined): When[] {
  return Object.entries(when ?? {}).map(([path, test]) => ({ [path]: test }) as When)
}

function contains(atoms: When[], atom: When): boolean {
  return atoms.some((one) => isEqual(one, atom))
}

function needsAnswer(atom: When): boolean {
  return !holds(atom, { answers: {} })
}

/** What is on the page, without what depends on an answer that nobody can give, and without conditions that always hold. */
function withoutImpossible(all: Group[]): Group[] {
  const on = all.filter((group) => group.attrs?.is_on !== false)
  const hidden = on.flatMap((g) => g.fields.filter((f) => f.attrs?.is_on !== false && !isOnPage(f)))
  let groups = on.map((group) => ({ ...group, fields: group.fields.filter(isOnPage) }))
  for (;;) {
    const there = new Set([...hidden, ...groups.flatMap((g) => g.fields)].map(({ name }) => name))
    const gone = new Set(
      all.flatMap((g) => g.fields.map(({ name }) => name)).filter((name) => !there.has(name)),
    )
    const left = groups
      .filter((group) => isPossible(group, gone))
      .map((group) => ({ ...group, fields: group.fields.filter((field) => isPossible(field, gone)) }))
      .filter(({ fields }) => fields.some(({ type }) => type !== 'note'))
    if (countOf(left) === countOf(groups))
      return left.map((group) =>
        withoutSettled({ ...group, fields: group.fields.map((f) => withoutSettled(f, gone)) }, gone),
      )
    groups = left
  }
}

function countOf(groups: Group[]): number {
  return groups.reduce((sum, { fields }) => sum + 1 + fields.length, 0)
}

function isSettled(atom: When, gone: Set<string>): boolean {
  const paths = pathsOf(atom)
  return paths.length > 0 && paths.every((path) => gone.has(path.split('.')[0]))
}

function isPossible({ attrs }: Group | Field, gone: Set<string>): boolean {
  return atomsOf(attrs?.when).every((atom) => !isSettled(atom, gone) || !needsAnswer(atom))
}

function withoutSettled<T extends Group | Field>(item: T, gone: Set<string>): T {
  const atoms = atomsOf(item.attrs?.when)
  const open = atoms.filter((atom) => !isSettled(atom, gone))
  if (open.length === atoms.length) return item
  const { when: _, ...attrs } = item.attrs!
  return {
    ...item,
    attrs: { ...attrs, ...(open.length > 0 && { when: Object.assign({}, ...open) as When }) },
  }
}

/**
 * Everything that must hold where a field is asked: its own conditions and those of the questions whose answer these
 * need.
 */
function impliedBy(groups: Group[]): (field: Field) => When[] {
  const places = new Map(
    groups.flatMap((g) => g.fields.map((f) => [f.name, { group: g, field: f }] as const)),
  )
  const known = new Map<Field, When[]>()
  const of = (field: Field, group: Group | undefined, open: Field[]): When[] => {
    const done = known.get(field)
    if (done) return done
    const own = [...atomsOf(field.attrs?.when), ...atomsOf(group?.attrs?.when)]
    const around = own.filter(needsAnswer).flatMap((atom) => {
      const [path] = Object.keys(atom)
      const place = path === 'any' ? undefined : places.get(path.split('.')[0])
      if (!place || open.includes(place.field)) return []
      return of(place.field, place.group, [...open, place.field])
    })
    const all = [...own, ...around]
    if (open.length === 1) known.set(field, all)
    return all
  }
  return (field) => of(field, places.get(field.name)?.group, [field])
}

/** The jump after a question: over the longest run right behind it that all depends on one simple test of its answer. */
function jumpAt(fields: Field[], index: number, implied: (field: Field) => When[]) {
  const question = fields[index]
  const following = fields[index + 1]
  if (!following || !canDecide(question)) return undefined
  const runs = atomsOf(following.attrs?.when)
    .filter((atom) => Object.keys(atom)[0] === question.name && isSimple(atom[question.name] as Test))
    .map((atom) => {
      let end = index + 1
      while (end < fields.length && contains(implied(fields[end]), atom)) end++
      return { atom, end }
    })
    .filter(({ end }) => fields.slice(index + 1, end).some(({ type }) => type !== 'note'))
  return runs.toSorted((a, b) => b.end - a.end)[0]
}

function canDecide({ type, attrs }: Field): boolean {
  return ['yesno', 'select', 'multiselect'].includes(type) && !attrs?.calc && !attrs?.read_only
}

/** It is one of some choices, or none of some. */
function isSimple(test: Test): boolean {
  const operands = operandsOf(test)
  if (operands.length === 0 || operands.some((one) => one === null || isOtherPath(one))) return false
  if (test === null || typeof test !== 'object' || Array.isArray(test)) return true
  return Object.keys(test).join() === 'not'
}

function questionFrom(fields: Field[], index: number): Field | undefined {
  return fields.slice(index).find(({ type }) => type !== 'note')
}
