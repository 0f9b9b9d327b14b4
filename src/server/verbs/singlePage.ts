const SMALLEST = 10

/** All rows of a list that has no more than one page, in the shape of every list's reply. */
export function singlePage<Data>(data: Data[]) {
  const count = data.length
  return {
    data,
    pagination: { p: 1, page_size: Math.max(SMALLEST, count), count, more: false, num_pages: 1 },
  }
}
