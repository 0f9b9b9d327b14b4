import pg from 'pg'
import { expect } from 'vitest'

/** What pg keeps of a statement, and what it calls when it sends it and when it is done. */
interface Statement {
  text: string
  _result?: { rowCount: number | null }
  submit(this: Statement, connection: unknown): unknown
  handleError(this: Statement, error: unknown, connection: unknown): void
  handleReadyForQuery(this: Statement, connection: unknown): void
}

/** Tables by whose reading a call could tell something of a person. */
const ABOUT_PEOPLE = /\b(clients|cases|issues|merges|client_questions|client_access|case_access)\b/

/**
 * Makes some calls and returns their result with the statements about people that they executed, each with the number of
 * rows that it returned: what they did, however fast the machine is. A reply may come before the last statement is done.
 */
export async function recordStatements<T>(calls: () => Promise<T>): Promise<[T, string[]]> {
  const prototype = pg.Query.prototype as unknown as Statement
  const { submit, handleError, handleReadyForQuery } = prototype
  const done: string[] = []
  const open = new Set<Statement>()
  prototype.submit = function (connection) {
    if (ABOUT_PEOPLE.test(this.text)) open.add(this)
    return submit.call(this, connection)
  }
  prototype.handleError = function (error, connection) {
    if (open.delete(this)) done.push(`refused: ${this.text}`)
    handleError.call(this, error, connection)
  }
  prototype.handleReadyForQuery = function (connection) {
    if (open.delete(this)) done.push(`${this._result?.rowCount} rows: ${this.text}`)
    handleReadyForQuery.call(this, connection)
  }
  try {
    const result = await calls()
    await expect.poll(() => open.size).toBe(0)
    return [result, done.toSorted()]
  } finally {
    Object.assign(prototype, { submit, handleError, handleReadyForQuery })
  }
}
