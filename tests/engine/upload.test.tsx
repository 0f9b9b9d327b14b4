import { createEvent, fireEvent, screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link } from 'react-router-dom'
import { beforeEach, expect, it } from 'vitest'
// Loaded on demand; imported here so that no test waits for it.
import '../../src/engine/actions/Upload.tsx'
import { contract } from './boats.ts'
import { type FakeRequest, fakeServer, page, type Reply } from './fakeServer.ts'
import { open } from './open.tsx'

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

/** An upload that waits for its reply. */
interface Upload {
  name: string
  request: FakeRequest
  reply: (reply: Reply) => void
}
let uploads: Upload[]

beforeEach(() => {
  uploads = []
  fakeServer.use({
    'GET /harbour/3/boats/': page([{ id: 1, name: 'One' }]),
    'POST /harbour/3/paper/': (request) =>
      new Promise((reply) => uploads.push({ name: (request.body.file as File).name, request, reply })),
  })
})
const lists = () => fakeServer.requestsTo('GET /harbour/3/boats/').length

async function choose(...files: File[]) {
  return chooseIn(LIST, ...files)
}

async function chooseIn(list: object, ...files: File[]) {
  const seen = await open({ papers: list }, '/harbours/3', { beside: <Link to="/elsewhere">Elsewhere</Link> })
  await view.findByRole('button', { name: 'Add papers' })
  await userEvent.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, files)
  return seen
}
const item = (name: string) => view.getAllByRole('listitem').find((li) => li.textContent?.includes(name))!

it('uploads two files at once and reads the list again after each', async () => {
  await choose(paper('a.pdf'), paper('b.pdf'), paper('c.pdf'))
  await waitFor(() => expect(uploads.map(({ name }) => name)).toEqual(['a.pdf', 'b.pdf']))
  expect(item('c.pdf').textContent).toContain('Waiting')
  uploads[0].request.config.onUploadProgress?.({
    loaded: 40,
    total: 100,
    progress: 0.4,
    bytes: 40,
    lengthComputable: true,
  })
  await waitFor(() =>
    expect(view.getByRole('progressbar', { name: 'Uploading a.pdf' }).getAttribute('value')).toBe('40'),
  )
  const before = lists()
  uploads[0].reply({ status: 201 })
  await waitFor(() => expect(item('a.pdf').textContent).toContain('Uploaded'))
  await waitFor(() => expect(lists()).toBe(before + 1))
  await waitFor(() => expect(uploads.map(({ name }) => name)).toContain('c.pdf'))
  expect(view.getAllByRole('status').map((s) => s.textContent)).toContain('a.pdf is uploaded')
})

it('says beforehand which files it takes, and how large', async () => {
  const toolbar = [{ label: 'Add papers', upload: 'boats.upload', accept: ['.csv'] }]
  await open({ papers: { ...LIST, toolbar } }, '/harbours/3')
  expect(await view.findByText('Drop files here or choose: csv, up to 10 MB each')).toBeTruthy()
})

it('shows for each file why it was refused', async () => {
  await choose(paper('huge.pdf'), paper('odd.pdf'))
  await waitFor(() => expect(uploads).toHaveLength(2))
  uploads[0].reply({ status: 413 })
  uploads[1].reply({ status: 400, data: { file: ['The file must be a pdf'] } })
  await waitFor(() =>
    expect(item('huge.pdf').textContent).toContain('Uploaded file is too large: it must be 10 MB or smaller'),
  )
  expect(item('odd.pdf').textContent).toContain('The file must be a pdf')
})

it('shows that an upload was cut off, and retries with the same idempotency key', async () => {
  await choose(paper('a.pdf'))
  await waitFor(() => expect(uploads).toHaveLength(1))
  uploads[0].reply({ status: 0 })
  await waitFor(() => expect(item('a.pdf').textContent).toContain('The upload was cut off'))
  await userEvent.click(within(item('a.pdf')).getByRole('button', { name: 'Retry a.pdf' }))
  await waitFor(() => expect(uploads).toHaveLength(2))
  const [first, second] = uploads.map(({ request }) => request.headers['Idempotency-Key'])
  expect(first).toBeTruthy()
  expect(second).toBe(first)
  uploads[1].reply({ status: 201 })
  await waitFor(() => expect(item('a.pdf').textContent).toContain('Uploaded'))
})

it('can be cancelled', async () => {
  await choose(paper('a.pdf'))
  await userEvent.click(await view.findByRole('button', { name: 'Cancel a.pdf' }))
  expect(uploads[0].request.config.signal?.aborted).toBe(true)
  await waitFor(() => expect(view.queryByText('a.pdf')).toBeNull())
  expect(view.getByText('a.pdf is cancelled')).toBeTruthy()
  expect(document.activeElement).toBe(view.getByRole('button', { name: 'Add papers' }))
})

it('uploads dropped files, and prevents the browser from opening files dropped elsewhere', async () => {
  await open({ papers: LIST }, '/harbours/3')
  await view.findByRole('button', { name: 'Add papers' })
  const area = document.querySelector('.upload-area')!
  fireEvent.drop(area, { dataTransfer: { files: [paper('d.pdf')] } })
  await waitFor(() => expect(uploads.map(({ name }) => name)).toEqual(['d.pdf']))
  const stray = createEvent.drop(document.body)
  fireEvent(document.body, stray)
  expect(stray.defaultPrevented).toBe(true)
})

it('asks before files are left that are not uploaded yet, and gives them up', async () => {
  const { address } = await choose(paper('a.pdf'), paper('b.pdf'), paper('c.pdf'))
  await waitFor(() => expect(uploads).toHaveLength(2))
  await userEvent.click(view.getByRole('link', { name: 'Elsewhere' }))
  const question = within(await view.findByRole('alertdialog', { name: 'Files are still being uploaded' }))
  expect(address()).toBe('/harbours/3')
  await userEvent.click(question.getByRole('button', { name: 'Leave' }))
  await view.findByText('Another page')
  expect(uploads.map(({ request }) => request.config.signal?.aborted)).toEqual([true, true])
})

it('leaves without a question once all files are uploaded', async () => {
  const { address } = await choose(paper('a.pdf'))
  await waitFor(() => expect(uploads).toHaveLength(1))
  uploads[0].reply({ status: 201 })
  await waitFor(() => expect(item('a.pdf').textContent).toContain('Uploaded'))
  await userEvent.click(view.getByRole('link', { name: 'Elsewhere' }))
  expect(address()).toBe('/elsewhere')
})

it('goes on to another page once all files are uploaded', async () => {
  const toolbar = [{ ...LIST.toolbar[0], then: '/papers/{paper}' }]
  const { address } = await chooseIn({ ...LIST, toolbar }, paper('a.pdf'), paper('b.pdf'))
  await waitFor(() => expect(uploads).toHaveLength(2))
  uploads[0].reply({ status: 201, data: { data: [{ paper: 4 }] } })
  await waitFor(() => expect(item('a.pdf').textContent).toContain('Uploaded'))
  expect(address()).toBe('/harbours/3')
  uploads[1].reply({ status: 201, data: { data: [{ paper: 5 }] } })
  await waitFor(() => expect(address()).toBe('/papers/4'))
})

it('links each finished file of several to its result, also where another one is refused', async () => {
  const screen = {
    route: '/harbours/{id}/papers/new',
    kind: 'upload',
    title: 'Send papers',
    upload: 'boats.upload',
    accept: ['.csv'],
    button: 'Send',
    then: '/papers/{id}/summary',
  }
  const { address } = await open({ send: screen }, '/harbours/3/papers/new')
  await view.findByRole('button', { name: 'Send' })
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!
  await userEvent.upload(input, [new File(['x'], 'good.csv'), new File(['x'], 'bad.csv')])
  await userEvent.click(view.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(uploads).toHaveLength(1))
  uploads[0].reply({ status: 201, data: { data: [{ id: 9 }] } })
  await waitFor(() => expect(uploads).toHaveLength(2))
  uploads[1].reply({ status: 400, data: { file: ['The file is damaged'] } })
  await waitFor(() => expect(item('bad.csv').textContent).toContain('The file is damaged'))
  await userEvent.click(view.getByRole('link', { name: 'good.csv' }))
  await waitFor(() => expect(address()).toBe('/papers/9/summary'))
})
