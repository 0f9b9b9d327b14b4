import type { RowWords } from '../../../contract/generated.ts'
import { isSet } from '../../../contract/when.ts'
import type { Row } from '../../core/results.ts'

/** '7 issues of 5 clients', as a screen words its rows. */
export function rowWords(rows: Row[], { one, many, of }: RowWords): string {
  const words = `${rows.length} ${rows.length === 1 ? one : many}`
  const owners = of ? new Set(rows.map((row) => row[of.field]).filter(isSet)).size : 0
  return of && owners > 0 ? `${words} of ${owners} ${owners === 1 ? of.one : of.many}` : words
}
