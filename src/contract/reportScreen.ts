import type { Contract } from './contract.ts'
import { factsOf } from './facts.ts'
import type { ListScreen, ReportScreen } from './generated.ts'

/** A report as a list screen with every column that it can have; its address chooses the visible ones. */
export function reportAsList(contract: Contract, screen: ReportScreen): ListScreen {
  const { by: _, measures: __, rows: ___, ...list } = screen
  const numbers = Object.keys(factsOf(contract, screen.source)?.measures ?? {})
  const sort = contract.endpoints[screen.source]?.query?.includes('sorted') ?? false
  return {
    ...list,
    kind: 'list',
    pages: false,
    choose: false,
    columns: ['label', 'and_label', ...numbers].map((field) => ({ field, sort })) as ListScreen['columns'],
  }
}
