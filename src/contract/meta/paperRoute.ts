import { isChoice, isQuestion } from '../fieldTypes.ts'
import type { Field, Group } from '../generated.ts'
import { isEqual } from '../isEqual.ts'
import { parentOf, withParents } from '../subgroups.ts'
import { holds, isOtherPath, operandsOf, pathsOf, type Test, type When } from '../when.ts'
import { isOnPage } from './questionNumbers.ts'

/** Where a reader continues: at a question, at a part of the form, or at its end. */
export type Target = Field | Group | 'end'
/** Routing of one question or note of a form on paper. */
export interface Stop {
  field: Field
  /** Answered only if all of these hold; otherwise the reader continues at `skipTo`, or with the next question. */
  onlyIf: When[]
  skipTo?: Target
  /** After answering: continue with the next question if this holds for the answer, otherwise at `to`. */
  jump?: { goOn: When; to: Target }
}
/** A part of the form, skipped as a whole unless all of `onlyIf` hold. */
export interface Part {
  group: Group
  onlyIf: When[]
  stops: Stop[]
}

/**
 * Derives the routing of a form on paper from its conditions: a question that decides the visibility of those right
 * after it has a jump, every other condition is stated where it applies. A reader who follows the routing answers the
 * questions that the form on screen would show.
 */
export function paperRoute(all: Group[]): Part[] {
  const groups = withoutImpossible(all)
  const implied = impliedBy(withParents(groups))
  return groups.map((group, g) => {
    // A reader who skips a group skips those under its heading, which do not repeat its condition.
    const next: Target = groups.slice(g + 1).find(({ attrs }) => attrs?.under !== group.name) ?? 'end'
    const ofGroup = atomsOf(group.attrs?.when)
    const parent = parentOf(groups, group)
    const stated = group.fields.map(() => [...ofGroup, ...atomsOf(parent?.attrs?.when)])
    const stops: Stop[] = group.fields.map((field) => ({ field, onlyIf: [] }))
    for (const [i, stop] of stops.entries()) {
      const found = jumpAt(group.fields, i, implied)
      const after = found && (questionFrom(group.fields, found.end) ?? next)
      if (found) {
        stop.jump = { goOn: found.atom, to: after! }
        for (let k = i + 1; k < found.end; k++) stated[k].push(found.atom)
      }
      stop.onlyIf = atomsOf(stop.field.attrs?.when).filter((atom) => !contains(stated[i], atom))
      // A reader who skips the question does not read its jump.
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

/**
 * The groups and fields on the page, without those that depend on an answer that nobody can give, and without
 * conditions that always hold.
 */
function withoutImpossible(all: Group[]): Group[] {
  const on = all.filter((group) => [group, parentOf(all, group)].every((one) => one?.attrs?.is_on !== false))
  const hidden = on.flatMap((g) => g.fields.filter((f) => f.attrs?.is_on !== false && !isOnPage(f)))
  let groups = on.map((group) => ({ ...group, fields: group.fields.filter(isOnPage) }))
  for (;;) {
    const there = new Set([...hidden, ...groups.flatMap((g) => g.fields)].map(({ name }) => name))
    const gone = new Set(
      all.flatMap((g) => g.fields.map(({ name }) => name)).filter((name) => !there.has(name)),
    )
    const left = groups
      .filter((group) => [group, parentOf(groups, group)].every((one) => !one || isPossible(one, gone)))
      .map((group) => ({ ...group, fields: group.fields.filter((field) => isPossible(field, gone)) }))
      .filter(
        ({ name, fields }, _, some) =>
          fields.some(isQuestion) || some.some((one) => one.attrs?.under === name),
      )
    if (countOf(left) === countOf(groups))
      return left.map((group) =>
        withoutConstants({ ...group, fields: group.fields.map((f) => withoutConstants(f, gone)) }, gone),
      )
    groups = left
  }
}

function countOf(groups: Group[]): number {
  return groups.reduce((sum, { fields }) => sum + 1 + fields.length, 0)
}

function isConstant(atom: When, gone: Set<string>): boolean {
  const paths = pathsOf(atom)
  return paths.length > 0 && paths.every((path) => gone.has(path.split('.')[0]))
}

function isPossible({ attrs }: Group | Field, gone: Set<string>): boolean {
  return atomsOf(attrs?.when).every((atom) => !isConstant(atom, gone) || !needsAnswer(atom))
}

function withoutConstants<T extends Group | Field>(item: T, gone: Set<string>): T {
  const atoms = atomsOf(item.attrs?.when)
  const open = atoms.filter((atom) => !isConstant(atom, gone))
  if (open.length === atoms.length) return item
  const { when: _, ...attrs } = item.attrs!
  return {
    ...item,
    attrs: { ...attrs, ...(open.length > 0 && { when: Object.assign({}, ...open) as When }) },
  }
}

/** All conditions that hold where a field is visible: its own, and those of the questions whose answers these need. */
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

/**
 * The jump after a question: over the longest run of following fields that all depend on one simple test of its answer.
 */
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
    .filter(({ end }) => fields.slice(index + 1, end).some(isQuestion))
  return runs.toSorted((a, b) => b.end - a.end)[0]
}

function canDecide({ type, attrs }: Field): boolean {
  return isChoice({ type }) && !attrs?.calc && !attrs?.read_only
}

/** True if a test requires one of some choices, or excludes some. */
function isSimple(test: Test): boolean {
  const operands = operandsOf(test)
  if (operands.length === 0 || operands.some((one) => one === null || isOtherPath(one))) return false
  if (test === null || typeof test !== 'object' || Array.isArray(test)) return true
  return Object.keys(test).join() === 'not'
}

function questionFrom(fields: Field[], index: number): Field | undefined {
  return fields.slice(index).find(isQuestion)
}
