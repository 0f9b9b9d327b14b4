import { createRequire } from 'node:module'

/**
 * Path of the build of xlsx that knows only the formats that are accepted: each thread that reads or writes a sheet
 * loads it, which takes a quarter of the time of the whole package.
 */
export const XLSX_PROGRAM = createRequire(import.meta.url).resolve('xlsx/dist/xlsx.mini.min.js')
