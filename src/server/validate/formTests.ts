import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FormTest } from '../../contract/generated.ts'
import { contextOfService } from '../../contract/meta/formTests.ts'
import type { Metas } from '../../contract/meta/metaTypes.ts'
import { quoted } from '../../contract/meta/quoted.ts'
import { runFormTests } from '../../contract/meta/runFormTest.ts'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import type { Call } from '../call.ts'
import { fieldProblem } from '../problems.ts'
import { ajvValidate } from './ajvValidate.ts'

const LONGEST_NOTE = 500

/** The forms of a case type with their tests, and the service whose cases they are for. */
interface Tested extends Metas {
  tests: FormTest[]
  service: number
}

/**
 * Refuses forms that fail their tests: each failure names the test, the field and the reason. A body that says
 * `publish_anyway` with a note is let through, and its note returned; '' where nothing fails.
 */
export async function refuseFailingTests({ body }: Call, tested: Tested): Promise<string> {
  const note = noteOf(body.publish_anyway)
  const errors = await failuresOf(tested)
  if (Object.keys(errors).length === 0) return ''
  if (!note) throw fieldProblem(errors)
  return note
}

async function failuresOf({ service, tests, ...metas }: Tested): Promise<FieldErrors> {
  const deps = { validateSchema: ajvValidate, conditionContext: contextOfService(service) }
  const errors: FieldErrors = {}
  for (const { index, test, differences } of runFormTests(metas, tests, deps)) {
    if (differences.length > 0)
      errors[`tests.${index}`] = differences.map(
        ({ message }) => `Test ${quoted(test.name)} fails: ${message}`,
      )
    // A hundred tests of a large form take a while in which others are to be answered too.
    await nextTurn()
  }
  return errors
}

function noteOf(note: unknown): string {
  if (note === undefined || note === null) return ''
  if (typeof note !== 'string' || !note.trim() || note.length > LONGEST_NOTE)
    throw fieldProblem({
      publish_anyway: [`Say in at most ${LONGEST_NOTE} characters why it is published although tests fail`],
    })
  return note.trim()
}
