import { DEFAULT_PAGE_SIZE } from '../../contract/limits.ts'

/** All rows of a list that has no more than one page, in the shape of every list's reply. */
export function singlePage<Data>(data: Data[]) {
  const count = data.length
  return {
    data,
    pagination: { p: 1, page_size: Math.max(DEFAULT_PAGE_SIZE, count), count, more: false, num_pages: 1 },
  }
}
