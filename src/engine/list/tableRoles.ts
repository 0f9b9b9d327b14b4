// Drawn as cards, a table loses what it is to screen readers unless its parts say it.
export const TABLE = { role: 'table' }
export const ROWS = { role: 'rowgroup' }
export const ROW = { role: 'row' }
export const HEAD = { role: 'columnheader' }
export const ROW_HEAD = { role: 'rowheader' }
export const CELL = { role: 'cell' }
