import type { ReactElement } from 'react'
import { isTested } from '../../contract/caseType/fieldUses.ts'
import { pluralise } from '../../contract/pluralise.ts'
import type { CaseTypeUsage, Draft } from '../state/caseType.ts'
import type { MovedField } from '../state/takeAnswers.ts'

interface Props {
  moves: MovedField[]
  usage: CaseTypeUsage
  draft: Draft
}

/** What uses the fields that take answers over, and whether it is adapted automatically or by a person. */
export function Followers({ moves, usage, draft }: Props): ReactElement | null {
  const { uses } = usage
  const isSplit = ({ meta, from }: MovedField) =>
    moves.filter((one) => one.meta === meta && one.from === from).length > 1
  const sources = moves.filter(
    ({ meta, from }, i) => moves.findIndex((one) => one.meta === meta && one.from === from) === i,
  )
  const sum = (some: MovedField[], counts: NonNullable<CaseTypeUsage['uses']>['views'] | undefined) =>
    some.reduce((all, { meta, from }) => all + (counts?.[meta][from] ?? 0), 0)
  const [split, single] = [true, false].map((is) => sources.filter((move) => isSplit(move) === is))
  const tests = draft.tests.filter((test) =>
    moves.some(({ meta, name }) => test.meta === meta && isTested(name, test)),
  ).length
  const lines: [count: number, what: string, how: string][] = [
    [sum(single, uses?.views), 'saved view', 'with the new names'],
    [sum(single, uses?.uploads), 'hub with uploads', 'also with files that have the old headings'],
    [tests, 'form test', 'with the new names'],
  ]
  const open: [count: number, what: string][] = [
    [sum(split, uses?.views), 'saved view'],
    [sum(split, uses?.uploads), 'hub with uploads'],
  ]
  const said = [
    ...lines.map(([count, what, how]) => count > 0 && `${pluralise(count, what)}: follow, ${how}`),
    ...open.map(
      ([count, what]) =>
        count > 0 && `${pluralise(count, what)}: to be changed, because the answers are split`,
    ),
  ].filter((words) => words !== false)
  if (said.length === 0) return null
  return (
    <>
      <h3>What uses these fields</h3>
      <ul className="constructor-sentences">
        {said.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </>
  )
}
