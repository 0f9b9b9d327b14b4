import { parse } from 'libpg-query'
import type { Problem } from '../../../contract/locate.ts'
import { asMigration, type Kind, type Migration, type SqlFile } from './migrationFiles.ts'
import type { Step } from './steps.ts'

/** A node of PostgreSQL's syntax tree: its key names its kind, as in { "AlterTableCmd": { … } }. */
type Node = Record<string, unknown>

/** What a rule can look up about the migration of a statement. */
interface Surroundings {
  kind: Kind
  step: Step
  /** Tables that this migration creates: nobody uses them yet. */
  created: Set<string>
  /** Statements of the same step. */
  count: number
  /** Columns whose check "is not null" an earlier step has validated, as "table.column". */
  neverNull: Set<string>
}

/** The first migration that is checked: earlier ones are applied already. */
const FIRST = '030'

/**
 * Reports statements that would make people wait on a table that existed before, or that take from an expand migration
 * what the previous release uses; each with what to write instead.
 */
export async function stoppingStatements(files: SqlFile[]): Promise<Problem[]> {
  const problems = await Promise.all(
    files.filter(({ name }) => name >= FIRST).map((file) => problemsOf(asMigration(file))),
  )
  return problems.flat()
}

async function problemsOf({ path, kind, steps }: Migration): Promise<Problem[]> {
  const problems: Problem[] = []
  const created = new Set<string>()
  const checks = new Map<string, string>()
  const neverNull = new Set<string>()
  for (const step of steps) {
    const report = (byte: number, message: string) => {
      const [before, after] = splitAt(step.sql, byte)
      const blank = after.match(/^(\s|--.*\n)*/)![0]
      problems.push({ file: path, line: (before + blank).split('\n').length, column: 1, message })
    }
    let statements: Node[]
    try {
      statements = (await parse(step.sql)).stmts as Node[]
    } catch (error) {
      const { sqlDetails } = error as { sqlDetails?: { cursorPosition: number } }
      report(sqlDetails?.cursorPosition ?? 0, (error as Error).message)
      continue
    }
    const surroundings = { kind, step, created, neverNull, count: statements.length }
    for (const { stmt, stmt_location: byte = 0 } of statements) {
      const [[name, statement]] = Object.entries(stmt as Record<string, Node>)
      if (name === 'CreateStmt') created.add(nameOf(statement.relation))
      for (const [rule, node] of nodesOf(stmt))
        for (const message of RULES[rule]?.(node, surroundings) ?? []) report(byte as number, message)
    }
    for (const { stmt } of statements) rememberChecks(stmt as Node, checks, neverNull)
  }
  return problems
}

const RULES: Record<string, (node: Node, around: Surroundings) => string[]> = {
  IndexStmt: ({ relation, concurrent }, { created }) =>
    concurrent || created.has(nameOf(relation))
      ? []
      : [
          `nobody could write to ${nameOf(relation)} while its index is built: use "-- step: concurrently" and create index concurrently`,
        ],
  AlterTableStmt: ({ relation, cmds }, around) => {
    const table = nameOf(relation)
    if (around.created.has(table)) return []
    return (cmds as { AlterTableCmd: Node }[]).flatMap(({ AlterTableCmd: command }) => {
      const message = ALTER[command.subtype as string]?.(command, table, around)
      return message ? [message] : []
    })
  },
  UpdateStmt: (node, around) => wholeTable('update', node, around),
  DeleteStmt: (node, around) => wholeTable('delete', node, around),
  InsertStmt: ({ selectStmt }, { created, step }) => {
    const { SelectStmt: select } = (selectStmt ?? {}) as { SelectStmt?: Node }
    const [table] = tablesIn(select?.fromClause).filter((name) => !created.has(name))
    if (step.runs === 'batched' || table === undefined || isNarrow(select?.whereClause)) return []
    return [
      `insert … select reads all of ${table} while this step holds its locks: use "-- step: batched ${table}" and "id between $1 and $2"`,
    ]
  },
  DropStmt: ({ objects, removeType }, { kind, created }) => {
    const [name] = (JSON.stringify(objects).match(/"sval":"(\w+)"\}\}\]?\}/) ?? []).slice(1)
    return kind === 'expand' && removeType === 'OBJECT_TABLE' && !created.has(name) ? [stillRead(name)] : []
  },
  RenameStmt: ({ relation, subname, renameType }, { kind, created }) =>
    kind === 'expand' && /TABLE|COLUMN/.test(String(renameType)) && !created.has(nameOf(relation))
      ? [stillRead(String(subname ?? nameOf(relation)))]
      : [],
  DoStmt: () => ['the check cannot read a do block: write its statements'],
  LockStmt: () => ['a lock table holds up everybody: leave it out'],
  ClusterStmt: () => ['cluster locks its table while it is written anew'],
  VacuumStmt: ({ is_vacuumcmd }) => (is_vacuumcmd ? ['vacuum does not run in a migration'] : []),
  ReindexStmt: ({ params }) =>
    JSON.stringify(params ?? '').includes('concurrently') ? [] : ['use reindex … concurrently'],
}

const ALTER: Record<string, (command: Node, table: string, around: Surroundings) => string | undefined> = {
  AT_DropColumn: ({ name }, _, { kind }) => (kind === 'expand' ? stillRead(String(name)) : undefined),
  AT_AlterColumnType: ({ name }, table) =>
    `all rows of ${table} are written anew: add another column, fill it in a batched step, and drop ${name} in a later release`,
  AT_SetNotNull: ({ name }, table, { neverNull }) =>
    neverNull.has(`${table}.${name}`)
      ? undefined
      : `all rows of ${table} are read while everybody waits: add the constraint check (${name} is not null) not valid, validate it in a step of its own, and write this in a later one`,
  AT_AddColumn: ({ def }, table) => {
    const { ColumnDef: column } = def as { ColumnDef: Node }
    const constraints = ((column.constraints ?? []) as { Constraint: Node }[]).map(
      ({ Constraint }) => Constraint,
    )
    const has = (type: string) => constraints.find(({ contype }) => contype === type)
    const type = JSON.stringify((column.typeName as Node).names)
    const isWritten = has('CONSTR_IDENTITY') ?? has('CONSTR_GENERATED') ?? /serial/.test(type)
    const value = has('CONSTR_DEFAULT')
    if (isWritten || (value && !isConstant(value.raw_expr)))
      return `all rows of ${table} are written anew for the values of ${column.colname}: add it without them, and fill it in a batched step`
    if (has('CONSTR_NOTNULL') && !value)
      return `${column.colname} is null in all rows of ${table}: add it with a constant default`
    if (has('CONSTR_UNIQUE') ?? has('CONSTR_PRIMARY')) return uniqueOf(table)
    if (has('CONSTR_CHECK') ?? (value && has('CONSTR_FOREIGN'))) return validateLater(table)
    return undefined
  },
  AT_AddConstraint: ({ def }, table) => {
    const { Constraint: constraint } = def as { Constraint: Node }
    if (['CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_EXCLUSION'].includes(constraint.contype as string))
      return constraint.indexname ? undefined : uniqueOf(table)
    return constraint.skip_validation ? undefined : validateLater(table)
  },
  AT_ValidateConstraint: (_, table, { count }) =>
    count > 1
      ? `all rows of ${table} are read while the other statements hold their locks: validate in a step of its own`
      : undefined,
  AT_SetTableSpace: (_, table) => `${table} is locked while it is moved`,
  AT_SetLogged: (_, table) => `all rows of ${table} are written anew`,
  AT_SetUnLogged: (_, table) => `all rows of ${table} are written anew`,
  AT_SetExpression: ({ name }, table) => `all rows of ${table} are written anew for ${name}`,
}

const stillRead = (name: string) =>
  `the previous release still uses ${name}: drop or rename it in a contract migration of a later release`

const uniqueOf = (table: string) =>
  `nobody could write to ${table} while the index is built: create a unique index concurrently, then add the constraint using it`

const validateLater = (table: string) =>
  `all rows of ${table} are read while everybody waits: add the constraint as not valid, and validate it in a step of its own`

function wholeTable(
  verb: string,
  { relation, whereClause }: Node,
  { created, step }: Surroundings,
): string[] {
  const table = nameOf(relation)
  if (created.has(table) || step.runs === 'batched' || isNarrow(whereClause)) return []
  return [
    `this ${verb} holds the rows of ${table} until its end: use "-- step: batched ${table}" and "id between $1 and $2"`,
  ]
}

/** True for a condition that compares a column with constants, which few rows of a table meet. */
function isNarrow(where: unknown): boolean {
  const { A_Expr: comparison, BoolExpr: bool } = (where ?? {}) as { A_Expr?: Node; BoolExpr?: Node }
  if (bool) return bool.boolop === 'AND_EXPR' && (bool.args as unknown[]).some(isNarrow)
  if (!comparison || !(comparison.lexpr as Node)?.ColumnRef) return false
  const isEquality = JSON.stringify(comparison.name).includes('"="')
  return (
    isEquality && ['AEXPR_OP', 'AEXPR_IN'].includes(comparison.kind as string) && isConstant(comparison.rexpr)
  )
}

/** True for an expression with one value for all rows, which PostgreSQL stores once. */
function isConstant(expression: unknown): boolean {
  return nodesOf(expression).every(([kind, node]) => {
    if (kind === 'FuncCall') return JSON.stringify(node.funcname).includes('"now"')
    return !['ColumnRef', 'SubLink', 'ParamRef'].includes(kind)
  })
}

/** A text before and from a byte on: PostgreSQL's parser counts bytes. */
function splitAt(text: string, byte: number): [string, string] {
  const bytes = Buffer.from(text)
  return [bytes.subarray(0, byte).toString(), bytes.subarray(byte).toString()]
}

/** Collects checks "is not null" by their names, and the columns whose check is validated. */
function rememberChecks(
  { AlterTableStmt: alter }: Node,
  checks: Map<string, string>,
  neverNull: Set<string>,
): void {
  const { relation, cmds = [] } = (alter ?? {}) as { relation?: Node; cmds?: { AlterTableCmd: Node }[] }
  for (const { AlterTableCmd: command } of cmds) {
    const { Constraint: constraint } = (command.def ?? {}) as { Constraint?: Node }
    const { NullTest: test } = (constraint?.raw_expr ?? {}) as { NullTest?: Node }
    if (test?.nulltesttype === 'IS_NOT_NULL')
      checks.set(`${nameOf(relation)} ${constraint!.conname}`, `${nameOf(relation)}.${columnOf(test.arg)}`)
    const checked = checks.get(`${nameOf(relation)} ${command.name}`)
    if (command.subtype === 'AT_ValidateConstraint' && checked) neverNull.add(checked)
  }
}

function columnOf(expression: unknown): string | undefined {
  const { ColumnRef: column } = expression as { ColumnRef?: { fields: { String: { sval: string } }[] } }
  return column?.fields.at(-1)?.String.sval
}

const nameOf = (relation: unknown) => String((relation as Node | undefined)?.relname)

/** Names of the tables in a from clause, without those of its own "with". */
function tablesIn(clause: unknown): string[] {
  return nodesOf(clause).flatMap(([kind, node]) => (kind === 'RangeVar' ? [nameOf(node)] : []))
}

/** All nodes of a tree with their kinds, from the top. */
function nodesOf(tree: unknown): [string, Node][] {
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([key, value]): [string, Node][] => {
    const isNode = /^[A-Z]/.test(key) && typeof value === 'object'
    return [...(isNode ? [[key, value] as [string, Node]] : []), ...nodesOf(value)]
  })
}
