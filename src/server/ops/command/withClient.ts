import { Client } from 'pg'

/** Runs work on a dedicated connection, and closes it; `name` is its application_name in pg_stat_activity. */
export async function withClient<T>(
  url: string,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: url, application_name: name })
  // For a connection that is lost between two queries; the next query throws.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
