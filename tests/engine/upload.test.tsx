// @vitest-environment jsdom
import { cleanup, createEvent, fireEvent, screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { AxiosError, type InternalAxiosRequestConfig } from 'axios'
import { afterEach, beforeEach, expect, it } from 'vitest'
// Fetched when it is needed; here before that, so that no test waits for it.
import '../../src/engine/actions/Upload.tsx'
import { http } from '../../src/engine/runtime/http.ts'
import '../../src/engine/list/List.tsx'
import { contract, open, page, serve } from './context.tsx'

Object.assign(contract.endpoints, {
  'boats.upload': { call: 'POST /harbour/{id}/paper/', does: 'upload boat', roles: 'staff' },
})

const LIST = {
  route: '/harbours/{id}',
  kind: 'list',
  title: 'Papers',
  source: 'boats.of',
  columns: ['name'],
  toolbar: [{ label: 'Add papers', upload: 'boats.upload' }],
}
const paper = (name: string) => new File(['x'.repeat(100)], name, { type: 'application/pdf' })

interface Going {
  name: string
  key: unknown
  config: InternalAxiosRequestConfig
  answer: (status: number, data?: unknown) => void
}
let going: Going[]
let lists: number

beforeEach(() => {
  going = []
  lists = 0
  serve({
    'GET /harbour/3/boats/': () => {
      lists++
      return { data: page([{ id: 1, name: 'One' }]) }
    },
  })
  const others = http.defaults.adapter as (config: InternalAxiosRequestConfig) => Promise<never>
  http.defaults.adapter = (config) => {
    if (config.url !== '/harbour/3/paper/') return others(config)
    return new Promise((resolve, reject) => {
      const answer = (status: number, data: unknown = {}) => {
        const reply = { status, data, statusText: '', headers: {}, config }
        if (status === 0) reject(new AxiosError('Network Error', 'ERR_NETWORK', config))
        else if (status < 300) resolve(reply)
        else reject(new AxiosError(`Status ${status}`, 'ERR_BAD_RESPONSE', config, undefined, reply))
      }
      config.signal?.addEventListener?.('abort', () =>
        reject(new AxiosError('canceled', 'ERR_CANCELED', config)),
      )
      const file = (config.data as FormData).get('file') as File
      going.push({ name: file.name, key: config.headers.get('Idempotency-Key'), config, answer })
    })
  }
})
afterEach(cleanup)

async function choose(...files: File[]) {
  const seen = open({ papers: LIST }, '/harbours/3')
  await view.findByRole('button', { name: 'Add papers' })
  await userEvent.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, files)
  return seen
}
const item = (name: string) => view.getAllByRole('listitem').find((li) => li.textContent?.includes(name))!

it('sends two files at once and reads the list anew after each', async () => {
  await choose(paper('a.pdf'), paper('b.pdf'), paper('c.pdf'))
  await waitFor(() => expect(going.map(({ name }) => name)).toEqual(['a.pdf', 'b.pdf']))
  expect(item('c.pdf').textContent).toContain('Waiting')
  going[0].config.onUploadProgress?.({
    loaded: 40,
    total: 100,
    progress: 0.4,
    bytes: 40,
    lengthComputable: true,
  })
  await waitFor(() =>
    expect(view.getByRole('progressbar', { name: 'Uploading a.pdf' }).getAttribute('value')).toBe('40'),
  )
  const before = lists
  going[0].answer(201)
  await waitFor(() => expect(item('a.pdf').textContent).toContain('Uploaded'))
  await waitFor(() => expect(lists).toBe(before + 1))
  await waitFor(() => expect(going.map(({ name }) => name)).toContain('c.pdf'))
  expect(view.getAllByRole('status').map((s) => s.textContent)).toContain('a.pdf is uploaded')
})

it('says for each file why it was refused', async () => {
  await choose(paper('huge.pdf'), paper('odd.pdf'))
  await waitFor(() => expect(going).toHaveLength(2))
  going[0].answer(413)
  going[1].answer(400, { file: ['The file must be a pdf'] })
  await waitFor(() => expect(item('huge.pdf').textContent).toContain('Uploaded file is too large'))
  expect(item('odd.pdf').textContent).toContain('The file must be a pdf')
})

it('says that an upload was cut off, and tries again under the same key', async () => {
  await choose(paper('a.pdf'))
  await waitFor(() => expect(going).toHaveLength(1))
  going[0].answer(0)
  await waitFor(() => expect(item('a.pdf').textContent).toContain('The upload was cut off'))
  await userEvent.click(within(item('a.pdf')).getByRole('button', { name: 'Retry a.pdf' }))
  await waitFor(() => expect(going).toHaveLength(2))
  expect(going[1].key).toBe(going[0].key)
  going[1].answer(201)
  await waitFor(() => expect(item('a.pdf').textContent).toContain('Uploaded'))
})

it('can be cancelled', async () => {
  await choose(paper('a.pdf'))
  await userEvent.click(await view.findByRole('button', { name: 'Cancel a.pdf' }))
  expect(going[0].config.signal?.aborted).toBe(true)
  await waitFor(() => expect(view.queryByText('a.pdf')).toBeNull())
  expect(view.getByText('a.pdf is cancelled')).toBeTruthy()
  expect(document.activeElement).toBe(view.getByRole('button', { name: 'Add papers' }))
})

it('takes what is dropped, and keeps strays from taking the place of the page', async () => {
  open({ papers: LIST }, '/harbours/3')
  await view.findByRole('button', { name: 'Add papers' })
  const area = document.querySelector('.upload-area')!
  fireEvent.drop(area, { dataTransfer: { files: [paper('d.pdf')] } })
  await waitFor(() => expect(going.map(({ name }) => name)).toEqual(['d.pdf']))
  const stray = createEvent.drop(document.body)
  fireEvent(document.body, stray)
  expect(stray.defaultPrevented).toBe(true)
})
