import type { Contract } from '../../contract/contract.ts'
import type { Entity } from '../../contract/generated.ts'
import type { Report } from '../files/report.ts'

/** Reports an entity with rows for which the register of data lacks the purpose or the retention. */
export function checkRegister({ entities }: Contract, entity: Entity, report: Report): void {
  const { table, purpose, retention, rowsOf } = entity
  if (!table) return
  if (!rowsOf) {
    if (!purpose)
      report([], `needs 'purpose': why the service holds these records, or 'rowsOf': whose they are`)
    else if (!retention) report(['purpose'], `needs 'retention' beside it: how long these records stay`)
    return
  }
  if (purpose)
    report(
      ['rowsOf'],
      `cannot stand beside 'purpose': the register of data describes these rows under ${rowsOf}`,
    )
  if (entities[rowsOf]?.rowsOf || !entities[rowsOf]?.table)
    report(['rowsOf'], `${rowsOf} has no 'purpose' of its own`)
}
