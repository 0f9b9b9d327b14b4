import { AxiosError, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import { http } from '../core/http.ts'

const things = Array.from({ length: 57 }, (_, i) => ({
  id: i + 1,
  name: `Thing ${i + 1}`,
  made: `2026-0${(i % 9) + 1}-15`,
  at: `2026-06-04T${10 + (i % 9)}:42:00Z`,
  spent: i * 900,
  friends: [1 + (i % 3)],
  count: i * 371,
  urgent: i % 4 === 0 ? 'yes' : 'no',
  colour: 1 + (i % 2),
}))
type Thing = Record<string, unknown>

const ANSWERS: Record<string, (query: Record<string, unknown>) => unknown> = {
  'get /preview/things/': pageOf,
  'get /preview/report/': () => reportOf(things.slice(0, 24)),
  'get /preview/figures/': figuresOf,
  'get /preview/none/': (query) => ({ ...pageOf(query), data: [] }),
  'get /preview/things/1/': () => things[0],
  'patch /preview/things/1/': () => things[0],
  'post /preview/things/': () => things[0],
  'post /preview/paint/': () => things[0],
  'delete /preview/things/1/': () => undefined,
  'get /preview/friends/': () =>
    ['Bob', 'Cid', 'Dee'].map((label, i) => ({ value: i + 1, label, active: true })),
}
const REFUSED: Record<string, number> = { 'get /preview/missing/': 404 }

function pageOf({ p = 1, page_size = 10, order_by = 'id', sort_order }: Record<string, unknown>) {
  const size = Number(page_size)
  const down = sort_order === 'desc' ? -1 : 1
  const of = (thing: Thing) => thing[String(order_by)] as number
  const data = things.toSorted((a, b) => (of(a) < of(b) ? -down : down))
  const count = things.length
  return {
    data: data.slice((Number(p) - 1) * size, Number(p) * size),
    pagination: { p: Number(p), page_size: size, count, num_pages: Math.ceil(count / size) },
  }
}

function reportOf(data: typeof things) {
  const { parts: count, time: spent } = numbersOf(data)
  const { length } = data
  return {
    data,
    totals: { spent, count },
    pagination: { p: 1, page_size: length, count: length, num_pages: 1 },
  }
}

const LABELS: Record<string, string> = { 1: 'Red', 2: 'Green', yes: 'Yes', no: 'No' }

function figuresOf({ by, and }: Record<string, unknown>) {
  const groups = new Map<string, typeof things>()
  for (const thing of things) {
    const values = [by, and].flatMap((name) => (name ? String((thing as Thing)[String(name)]) : []))
    const key = values.join()
    groups.set(key, [...(groups.get(key) ?? []), thing])
  }
  const data = [...groups].map(([key, found], i) => {
    const [first, second] = key.split(',')
    return {
      id: i + 1,
      label: LABELS[first],
      by_value: first,
      ...(second && { and_label: LABELS[second], and_value: second }),
      ...numbersOf(found),
    }
  })
  const { length } = data
  const pagination = { p: 1, page_size: length, count: length, num_pages: 1 }
  return { data, totals: numbersOf(things), pagination }
}

function numbersOf(found: typeof things) {
  const sum = (of: 'spent' | 'count') => found.reduce((all, thing) => all + thing[of], 0)
  return { things: found.length, parts: sum('count'), time: sum('spent') }
}

async function answer(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
  const call = `${config.method} ${config.url}`
  const status = ANSWERS[call] ? 200 : (REFUSED[call] ?? 500)
  const data = ANSWERS[call]?.(config.params ?? {})
  const reply = { data, status, statusText: '', headers: {}, config }
  if (status === 200) return reply
  throw new AxiosError(`Status ${status}`, 'ERR_BAD_RESPONSE', config, undefined, reply)
}

/** Answers calls below /preview/ from fixtures from now on; others are unaffected. */
export function answerPreview(): void {
  http.interceptors.request.use((config) =>
    config.url?.startsWith('/preview/') ? Object.assign(config, { adapter: answer }) : config,
  )
}
