import { createHash, createHmac } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const [KEY, SECRET, REGION, BUCKET] = ['key', 'se/cret', 'eu-west-2', 'files']

export interface ObjectStorage {
  /** FILES_URL of a folder in it, or of another key, secret, bucket or region. */
  url(folder: string, other?: Partial<Record<'key' | 'secret' | 'bucket' | 'region', string>>): string
  /** Objects by full name: folder and key. */
  objects: Map<string, { content: Buffer; at: Date }>
  /** Requests so far, as 'GET /bucket/name'. */
  requests: string[]
  /** Behaviour for the next requests: answer, fail with a 500, or never answer. */
  mode: 'answers' | 'fails' | 'hangs'
  /** Changes the mode at the n-th request (`times`) that matches `request`. */
  trouble?: { request: RegExp; times: number; mode: ObjectStorage['mode'] }
  /** Maximum keys on a page of a list. */
  pageSize: number
  end(): Promise<void>
}

/**
 * A server for the part of the S3 protocol that the product uses, which verifies the signature of each request
 * (Signature Version 4). It was written for these tests because s3rver 3.7.1, the package that runs on Node 20, cannot
 * list in pages.
 */
export async function startObjectStorage(): Promise<ObjectStorage> {
  const storage: ObjectStorage = {
    url: (folder, { key = KEY, secret = SECRET, bucket = BUCKET, region = REGION } = {}) =>
      `s3://${key}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${bucket}/${folder}?region=${region}&tls=0`,
    objects: new Map(),
    requests: [],
    mode: 'answers',
    pageSize: 1000,
    end: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = http.createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    storage.requests.push(`${request.method} ${request.url}`)
    noticeTrouble(storage, request)
    if (storage.mode === 'hangs') return
    if (storage.mode === 'fails') return fail(reply, 500, 'InternalError')
    answer(storage, request, Buffer.concat(chunks), reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return storage
}

function noticeTrouble(storage: ObjectStorage, { method, url }: IncomingMessage): void {
  const { trouble } = storage
  if (!trouble?.request.test(`${method} ${url}`)) return
  trouble.times -= 1
  if (trouble.times > 0) return
  storage.mode = trouble.mode
  storage.trouble = undefined
}

function answer(storage: ObjectStorage, request: IncomingMessage, body: Buffer, reply: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
  const [, bucket, ...parts] = pathname.split('/').map(decodeURIComponent)
  const name = parts.join('/')
  const refusal = refusalOf(request, body)
  if (refusal) fail(reply, refusal === 'AuthorizationHeaderMalformed' ? 400 : 403, refusal)
  else if (bucket !== BUCKET) fail(reply, 404, 'NoSuchBucket')
  else if (request.method === 'PUT') {
    storage.objects.set(name, { content: body, at: new Date() })
    reply.end()
  } else if (request.method === 'DELETE') {
    storage.objects.delete(name)
    reply.writeHead(204).end()
  } else if (name === '') list(storage, searchParams, reply)
  else {
    const found = storage.objects.get(name)
    if (found) reply.end(found.content)
    else fail(reply, 404, 'NoSuchKey')
  }
}

/** ListObjectsV2; the continuation token is the last name of the previous page. */
function list({ objects, pageSize }: ObjectStorage, query: URLSearchParams, reply: ServerResponse): void {
  const after = query.get('continuation-token') ?? ''
  const names = [...objects.keys()]
    .filter((name) => name.startsWith(query.get('prefix') ?? '') && name > after)
    .sort()
  const page = names.slice(0, pageSize)
  const isMore = names.length > page.length
  const contents = page.map(
    (name) =>
      `<Contents><Key>${name}</Key><LastModified>${objects.get(name)!.at.toISOString()}</LastModified></Contents>`,
  )
  const next = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  reply.setHeader('content-type', 'application/xml')
  reply.end(
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  )
}

function fail(reply: ServerResponse, status: number, code: string): void {
  reply.writeHead(status, { 'content-type': 'application/xml' })
  reply.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The S3 error code if the signature of a request is invalid; undefined if it is valid. */
function refusalOf({ method, url, headers }: IncomingMessage, body: Buffer): string | undefined {
  const [, key, scope, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (!signature) return 'AccessDenied'
  if (key !== KEY) return 'InvalidAccessKeyId'
  const [day, region, service, end] = scope.split('/')
  if (region !== REGION) return 'AuthorizationHeaderMalformed'
  const hash = String(headers['x-amz-content-sha256'])
  if (hash !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const [path, search = ''] = url!.split('?')
  const query = search.split('&').sort().join('&')
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, path, query, signed.join(''), names, hash].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const signing = [day, region, service, end].reduce<string | Buffer>(hmac, `AWS4${SECRET}`)
  return hmac(signing, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}
