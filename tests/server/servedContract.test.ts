import { type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeServer } from './context.ts'

const context = describeServer()
let address: string
beforeAll(async () => {
  const page = await fetch(`${context.address}/login`, { headers: { accept: 'text/html' } })
  address = (await page.text()).match(/<link rel="preload" as="fetch" crossorigin href="([^"]+)">/)?.[1] ?? ''
})

/** Asks without the decompression of fetch. */
async function ask(path: string, encodings: string) {
  const reply = await new Promise<IncomingMessage>((resolve, reject) =>
    request(context.address + path, { headers: { 'accept-encoding': encodings } }, resolve)
      .on('error', reject)
      .end(),
  )
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk)
  return { headers: reply.headers, body: Buffer.concat(chunks) }
}

describe('the contract for browsers', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
  ])('comes compressed to those that take %s', async (encodings, used, unpack) => {
    await expect.poll(async () => (await ask(address, encodings)).headers['content-encoding']).toBe(used)
    const { headers, body } = await ask(address, encodings)
    const plain = await ask(address, 'identity')
    expect(headers.vary).toBe('Accept-Encoding')
    expect(unpack(body).equals(plain.body)).toBe(true)
    expect(body.length * 4).toBeLessThan(plain.body.length)
    expect(plain.headers['content-encoding']).toBeUndefined()
  })

  it('is kept under its own address only', async () => {
    expect((await ask(address, 'br')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const other = await ask('/contract-0123456789abcdef.json', 'br')
    expect(other.headers['cache-control']).toBe('no-store')
  })

  it('leaves out what no page reads', async () => {
    const contract = JSON.parse((await ask(address, 'identity')).body.toString())
    expect(contract.entities.client).not.toHaveProperty('table')
    expect(contract.endpoints['cases.active']).not.toHaveProperty('why')
    expect(contract.entities.client.title).toBe('Client')
  })
})
