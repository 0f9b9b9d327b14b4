import { Client } from 'pg'

/** Does something by a connection of its own, which ends with it; `name` says in pg_stat_activity whose it is. */
export async function withClient<T>(
  url: string,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: url, application_name: name })
  // Of a connection that is lost between two queries; the next query throws.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
