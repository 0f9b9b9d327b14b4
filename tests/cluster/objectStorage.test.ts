import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStorage } from '../../src/server/records/files/storage.ts'
import { createCase } from '../server/newCase.ts'
import { PDF, upload } from '../server/upload.ts'
import { type ClusterContext, startCluster } from './context.ts'
import { printFigures } from './servers.ts'
import { type Swift, startSwift } from './swift.ts'

/** More than one page of a list. */
const MANY = 1100

let swift: Swift
let cluster: ClusterContext
beforeAll(async () => {
  swift = await startSwift()
  cluster = await startCluster({ env: { FILES_URL: swift.url('casework') } })
})
afterAll(async () => {
  await cluster?.end()
  await swift?.end()
})

it('what is stored is read back byte for byte, listed over pages, and gone once it is removed', async () => {
  const storage = await openStorage(swift.url('listed'))
  const contents = [Buffer.alloc(0), Buffer.from([0, 255, 13, 10]), randomBytes(20_000_000)]
  for (const [i, content] of contents.entries()) {
    await storage.put(`content-${i}`, content)
    expect((await storage.get(`content-${i}`, content.length))?.equals(content)).toBe(true)
  }
  expect(await storage.get('never-put', 10)).toBeUndefined()
  const keys = Array.from({ length: MANY }, (_, i) => `small-${i}`)
  for (let i = 0; i < MANY; i += 50)
    await Promise.all(keys.slice(i, i + 50).map((key) => storage.put(key, Buffer.from(key))))
  const pages: { key: string; at: Date }[][] = []
  for await (const page of storage.pages()) pages.push(page)
  expect(pages.length).toBeGreaterThan(1)
  const found = pages.flat().map(({ key }) => key)
  expect(found.toSorted()).toEqual([...keys, 'content-0', 'content-1', 'content-2'].toSorted())
  expect(Math.abs(Date.now() - pages[0][0].at.getTime())).toBeLessThan(600_000)
  for (const key of ['content-2', 'never-put']) await storage.remove(key)
  expect(await storage.get('content-2', 0)).toBeUndefined()
})

it('a wrong secret is a 503 with the code of the storage', async () => {
  const storage = await openStorage(swift.url('listed', 'wrong'))
  await expect(storage.put('content', Buffer.from('x'))).rejects.toMatchObject({
    statusCode: 503,
    code: 'SignatureDoesNotMatch',
  })
})

it('documents are kept there by one server and read by another; without it they are refused in time, other calls go on, and none is lost', async () => {
  const [advocate, other] = cluster.advocates
  const { issue } = await createCase(advocate)
  const add = () => upload(advocate, `/issue/${issue}/file/`, 'letter.pdf', PDF)
  const get = async (id: number) => {
    const { status, body } = await other('files.download', { params: { id } })
    return [status, body]
  }
  const added = await add()
  expect(added.status).toBe(201)
  const { file } = added.body
  const stored = `select content is null as elsewhere from files where id = ${file}`
  expect(await cluster.query(stored)).toEqual([{ elsewhere: true }])
  expect(await get(file)).toEqual([200, PDF])

  swift.pause()
  const began = Date.now()
  const [refused, unread] = await Promise.all([add(), get(file)])
  const waited = (Date.now() - began) / 1000
  expect([refused.status, unread[0]]).toEqual([503, 503])
  expect((await advocate('cases.list')).status).toBe(200)
  swift.goOn()
  await expect.poll(async () => (await add()).status, { timeout: 60_000 }).toBe(201)
  expect(await get(file)).toEqual([200, PDF])
  expect(waited).toBeLessThan(15)
  printFigures('object storage frozen', { 'seconds until a document was refused': waited.toFixed(1) })
})
