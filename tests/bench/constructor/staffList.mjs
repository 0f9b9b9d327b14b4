import { query } from '../calls/database.mjs'
import { median } from '../numbers.mjs'

const TIMES = 30
const ASKED = {
  'page 1': '?page_size=10',
  'by name, last page': '?page_size=10&p=1000&order_by=name',
  'found by a term': '?page_size=10&term=staff99',
  'of a role': '?page_size=10&role=4',
}

/** Median milliseconds of the staff list over HTTP with so many more people, by what is asked for. */
export async function staffList(address, page, url, count) {
  await query(
    url,
    `insert into staff (username, first_name, last_name, groups, status, services)
      select 'staff' || n, 'First' || n % 997, 'Last' || n, array[2 + n % 8], 1, '{1}' from generate_series(1, $1) n`,
    [count],
  )
  await query(url, 'vacuum analyze staff')
  const token = await page.evaluate(() => localStorage.token)
  const headers = { accept: 'application/json', authorization: `Token ${token}` }
  const times = {}
  for (const [name, search] of Object.entries(ASKED)) {
    const all = []
    for (let i = 0; i < TIMES; i++) {
      const began = performance.now()
      const reply = await fetch(`${address}/staff/list/${search}`, { headers })
      await reply.text()
      if (!reply.ok) throw new Error(`The staff list answers ${reply.status}`)
      all.push(performance.now() - began)
    }
    times[name] = median(all)
  }
  return times
}
