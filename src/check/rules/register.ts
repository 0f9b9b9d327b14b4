import type { Contract } from '../../contract/contract.ts'
import type { Entity } from '../../contract/generated.ts'
import type { Report } from '../files/report.ts'

/** Reports an entity with rows of which the register of data could not say why they are there and how long they stay. */
export function checkRegister({ entities }: Contract, entity: Entity, report: Report): void {
  const { table, purpose, retention, rowsOf } = entity
  if (!table) return
  if (!rowsOf) {
    if (!purpose)
      report([], `needs 'purpose': why the service holds these records, or 'rowsOf': whose they are`)
    else if (!retention) report(['purpose'], `needs 'retention' beside it: how long these records stay`)
    return
  }
  if (purpose) report(['rowsOf'], `stands beside 'purpose': the register has the rows of ${rowsOf} already`)
  if (entities[rowsOf]?.rowsOf || !entities[rowsOf]?.table)
    report(['rowsOf'], `${rowsOf} has no 'purpose' of its own`)
}
