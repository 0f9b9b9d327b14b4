import { DEFAULT_PAGE_SIZE } from '../../contract/limits.ts'

/** The reply of a list that has all its rows on one page. */
export function singlePage<Data>(data: Data[]) {
  const count = data.length
  return {
    data,
    pagination: { p: 1, page_size: Math.max(DEFAULT_PAGE_SIZE, count), count, more: false, num_pages: 1 },
  }
}
