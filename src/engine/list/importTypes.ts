/** What a row of a sheet comes to; `row` as Excel counts it. */
interface PlannedRow {
  row: number
  label: string
  state: 'added' | 'changed' | 'unchanged'
  changes: { field: string; label: string; from: string; to: string }[]
}
/** What a spreadsheet would do, and each mistake by row and letter of the column. */
export interface Plan {
  counts: Record<PlannedRow['state'], number>
  rows: PlannedRow[]
  errors: { row: number; column: string; message: string }[]
}
