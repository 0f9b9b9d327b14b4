import { transaction } from '../bare/database.mjs'
import { columnsOf, note } from '../bare/rows.mjs'

const ISSUE = columnsOf('issue')
const META = `
  select t.version, t.issue_meta as groups, to_jsonb(k) - 'answers' as file, to_jsonb(c) as client
  from cases k join case_types t on t.id = k.case_type join clients c on c.id = k.client where k.id = $1`

/** Changes answers of an issue and answers the issue, all that is not SQL left out. */
export function saveIssue(pool, { me, id, body, request }) {
  return transaction(pool, async (db) => {
    const { rows } = await db.query('select r.* from issues r where r.id = $1 and true for update of r', [id])
    const [issue] = rows
    const metas = await db.query(META, [issue.case])
    const validated = metas.rows[0].version
    const version = issue.version + 1
    await db.query(
      `update issues set answers = $1, invalid_fields = $2, validated_version = $3, case_type_version = $4, version = $5,
        updated_at = $6 where id = $7`,
      [
        JSON.stringify({ ...issue.answers, ...body.answers }),
        issue.invalid_fields,
        validated,
        validated,
        version,
        new Date(),
        id,
      ],
    )
    const changes = Object.fromEntries(
      Object.entries(body.answers).map(([name, to]) => [
        `answers.${name}`,
        { from: issue.answers[name] ?? null, to },
      ]),
    )
    await note(db, { me, action: 'update', entity: 'issue', record: id, version, changes, request })
    const saved = await db.query(`select ${ISSUE} from issue_record r where r.id = $1 and true`, [id])
    return saved.rows[0]
  })
}
