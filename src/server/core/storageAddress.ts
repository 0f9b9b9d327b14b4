/** The parts of FILES_URL: s3://KEY:SECRET@host:port/bucket/folder?region=eu-west-2&tls=0 */
interface StorageAddress {
  /** URL of the S3 API, without the bucket. */
  endpoint: string
  key: string
  secret: string
  bucket: string
  /** Prefix of all object keys: empty, or ending with a slash. */
  folder: string
  region: string
  /** Host, bucket and folder, for people. */
  place: string
}

const REGION = 'us-east-1'

export function isStorageAddress(text: string): boolean {
  return storageAddress(text) !== undefined
}

/** Parses an address; undefined if it is invalid. */
export function storageAddress(text: string): StorageAddress | undefined {
  if (!/^s3:\/\//.test(text) || !URL.canParse(text)) return undefined
  const { host, username, password, pathname, searchParams, hash } = new URL(text)
  const [, bucket, ...folders] = pathname.split('/')
  const folder = folders.filter((part) => part !== '').map((part) => `${part}/`)
  const { region = REGION, tls = '1', ...others } = Object.fromEntries(searchParams)
  const isWhole = host !== '' && username !== '' && password !== '' && hash === ''
  const isPlain = [bucket, ...folder].every((part) => /^[\w.-]+\/?$/.test(part ?? ''))
  if (
    !isWhole ||
    !isPlain ||
    !/^[01]$/.test(tls) ||
    !/^[\w-]+$/.test(region) ||
    Object.keys(others).length > 0
  )
    return undefined
  const [key, secret] = [decoded(username), decoded(password)]
  if (key === undefined || secret === undefined) return undefined
  return {
    endpoint: `${tls === '1' ? 'https' : 'http'}://${host}`,
    key,
    secret,
    bucket,
    folder: folder.join(''),
    region,
    place: [host, bucket, ...folder].join('/').replaceAll('//', '/').replace(/\/$/, ''),
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
