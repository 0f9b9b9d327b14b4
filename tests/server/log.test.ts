import { afterEach, describe, expect, it } from 'vitest'
import { loggedError, loggerOptions } from '../../src/server/core/log.ts'

const broken = Object.assign(new Error('invalid input syntax for type date: "Ann Smith"'), {
  code: '22P02',
  detail: 'Failing row contains (7, Ann Smith).',
  table: 'clients',
  column: 'dob',
})

const before = process.env.DEV
afterEach(() => {
  if (before === undefined) delete process.env.DEV
  else process.env.DEV = before
})

describe('what the log keeps of an error', () => {
  it('names no person in production', () => {
    delete process.env.DEV
    const kept = loggedError(broken)
    expect(kept).toEqual({ code: '22P02', stack: expect.stringContaining('log.test.ts') })
    expect(JSON.stringify(kept)).not.toContain('Ann')
    expect(loggerOptions('info')).toEqual({ level: 'info', stream: expect.anything() })
  })

  it('says in development what went wrong, and with which column', () => {
    process.env.DEV = '1'
    expect(loggedError(broken)).toMatchObject({
      message: broken.message,
      detail: broken.detail,
      table: 'clients',
      column: 'dob',
    })
    expect(loggerOptions('info')).toMatchObject({ transport: { target: 'pino-pretty' } })
    expect(loggedError('a text')).toMatchObject({ message: 'a text' })
  })
})
