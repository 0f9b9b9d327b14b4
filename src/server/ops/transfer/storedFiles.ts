import { Readable } from 'node:stream'
import { type Client, escapeIdentifier } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { StartProblem } from '../../core/startProblem.ts'
import { isWhole } from '../../records/files/content.ts'
import { LONG_TIMEOUT_MS, openStorage } from '../../records/files/storage.ts'

/** Null in COPY format. */
const NULL = '\\N'

/**
 * The rows of files whose content is in the object storage, in COPY format and with the content, so that an export is
 * complete without the storage.
 */
export async function storedFiles(client: Client, columns: string[], filesUrl: string): Promise<Readable> {
  const { rows } = await client.query('select from files where storage_key is not null limit 1')
  if (rows.length === 0) return Readable.from([])
  if (!filesUrl)
    throw new StartProblem(
      'Some files are in an object storage: set FILES_URL, so that they are exported too.',
    )
  const storage = await openStorage(filesUrl, LONG_TIMEOUT_MS)
  const names = columns.map(escapeIdentifier).join(', ')
  const copied = client.query(
    copyTo(`copy (select ${names} from files where storage_key is not null) to stdout`),
  )
  const at = (column: string) => columns.indexOf(column)
  const withContent = async (line: string): Promise<string> => {
    const values = line.split('\t')
    const [id, size, key] = ['id', 'size', 'storage_key'].map((column) => values[at(column)])
    const place = { size: Number(size), sha256: bytesOf(values[at('sha256')]) }
    const content = await storage.get(key, place.size).catch(({ code }) => {
      throw new StartProblem(
        `The object storage of FILES_URL does not answer (${code}). The export is not whole.`,
      )
    })
    if (!content || !isWhole(content, place))
      throw new StartProblem(
        `The content of file ${id} is missing in the object storage, or is not as it was saved.`,
      )
    values[at('content')] = `\\\\x${content.toString('hex')}`
    values[at('storage_key')] = NULL
    values[at('sha256')] = NULL
    return `${values.join('\t')}\n`
  }
  return Readable.from(
    (async function* () {
      for await (const line of linesOf(copied)) yield await withContent(line)
    })(),
  )
}

/** The rows of a COPY stream: each ends with a line feed, and contains no other. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    yield* lines
  }
}

function bytesOf(value: string): Buffer {
  return Buffer.from(value.slice('\\\\x'.length), 'hex')
}
