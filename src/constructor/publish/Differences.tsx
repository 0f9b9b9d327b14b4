import { type ReactElement, useCallback } from 'react'
import { testDifferences } from '../../contract/caseType/formTests.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { FormTest } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { ScrollRegion } from '../../engine/core/ScrollRegion.tsx'
import { useItemLabels } from '../../engine/core/useItemLabels.ts'
import { type Difference, differences } from '../forms/diff.ts'
import { automationDifferences, deadlineDifferences, type WithDefinitions } from '../forms/diffDefinitions.ts'

const PART: Record<MetaName | 'automations' | 'deadlines', string> = {
  case_meta: 'Case form',
  issue_meta: 'Issue form',
  automations: 'Automations',
  deadlines: 'Deadlines',
}
const CHANGES: Record<Difference['change'], string> = {
  added: 'Added',
  removed: 'Removed',
  moved: 'Moved',
  changed: 'Changed',
}

/** Forms with what follows from their records, and their tests. */
type Tested = WithDefinitions & { tests?: FormTest[] | null }

interface Props {
  before: Tested
  after: Tested
  /** Column headings of the two sides. */
  heads: [string, string]
}

/** The differences between two versions of a case type side by side, and of their tests in sentences. */
export function Differences(props: Props): ReactElement {
  const tests = testDifferences(props.before.tests ?? [], props.after.tests ?? [])
  return (
    <>
      <FormDifferences {...props} />
      {tests.length > 0 && (
        <ul className="constructor-sentences">
          {tests.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function FormDifferences({ before, after, heads }: Props): ReactElement {
  const describe = useCallback(
    (itemLabel: ItemLabel) => [
      ...differences(before, after, itemLabel),
      ...automationDifferences(before, after, itemLabel).map((one) => ({
        ...one,
        meta: 'automations' as const,
      })),
      ...deadlineDifferences(before, after, itemLabel).map((one) => ({
        ...one,
        meta: 'deadlines' as const,
      })),
    ],
    [before, after],
  )
  const found = useItemLabels(describe)
  if (found.length === 0) return <p>Forms, automations and deadlines are the same.</p>
  return (
    <ScrollRegion label="Differences" className="constructor-scroll">
      <table className="constructor-differences">
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">What</th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.map((one, i) => (
            // An index as key, because labels may be duplicate.
            <Lines key={i} difference={one} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

type Listed = Omit<Difference, 'meta'> & { meta: keyof typeof PART }

function Lines({ difference: { meta, path, change, parts } }: { difference: Listed }) {
  const rows = parts.length > 0 ? parts : [{ name: '', before: '', after: '' }]
  return rows.map(({ name, before, after }, i) => (
    <tr key={name}>
      {i === 0 && (
        <th scope="rowgroup" rowSpan={rows.length}>
          <span className="constructor-facts">{PART[meta]}</span>
          {path.join(' › ')}
          <span className="constructor-facts">{CHANGES[change]}</span>
        </th>
      )}
      <td>{name}</td>
      <td>{before}</td>
      <td>{after}</td>
    </tr>
  ))
}
