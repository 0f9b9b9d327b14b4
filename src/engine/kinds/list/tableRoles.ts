// Explicit roles, because CSS that renders the table as cards removes its table semantics.
export const TABLE = { role: 'table' }
export const ROWS = { role: 'rowgroup' }
export const ROW = { role: 'row' }
export const HEAD = { role: 'columnheader' }
export const ROW_HEAD = { role: 'rowheader' }
export const CELL = { role: 'cell' }
