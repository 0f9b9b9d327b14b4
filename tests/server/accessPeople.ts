import { sql } from 'kysely'
import type { Db } from '../../src/server/core/db.ts'

/** People whom no role alone describes: of two roles, of a hub without a number, of many services. */
const MIXED = [
  { username: 'advises-and-leads', groups: [3, 2], hub: 2, services: [2, 3], contracts: [] },
  { username: 'without-a-hub', groups: [7], hub: null, services: [], contracts: [] },
  { username: 'commissions-and-works', groups: [5, 6], hub: null, services: [1, 2], contracts: [2, 3] },
]

/** Adds MIXED to the people of a test server, with the same password; returns everybody. */
export async function addMixedPeople(db: Db): Promise<{ id: number; username: string }[]> {
  for (const { username, groups, hub, services, contracts } of MIXED)
    await sql`insert into staff (username, first_name, password_hash, groups, hub, services, contracts)
      select ${username}, ${username}, password_hash, ${groups}::int[], ${hub}, ${services}::int[], ${contracts}::int[]
      from staff where username = 'admin'`.execute(db)
  const { rows } = await sql<{
    id: number
    username: string
  }>`select id, username from staff order by id`.execute(db)
  return rows
}
