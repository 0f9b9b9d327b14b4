import { setImmediate as nextTurn } from 'node:timers/promises'
import { contextOfService } from '../../../contract/caseType/formTestContext.ts'
import { runFormTests } from '../../../contract/caseType/runFormTest.ts'
import type { Calendars } from '../../../contract/deadlines/calendars.ts'
import type { Automation, Deadline, FormTest } from '../../../contract/generated.ts'
import type { Metas } from '../../../contract/meta/metaTypes.ts'
import { normaliseLong } from '../../../contract/normalise.ts'
import { quoted } from '../../../contract/quoted.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { ajvValidate } from '../../core/ajvValidate.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { readCalendars } from '../lookups/bankHolidays.ts'

const MAX_NOTE_LENGTH = 500

/** The forms of a case type with their tests, automations and deadlines, and the id of its service. */
interface TestedForms extends Metas {
  tests: FormTest[]
  automations: Automation[]
  deadlines: Deadline[]
  service: number
}

/**
 * Refuses forms that fail their tests; each error names the test, the field and the reason. If the body has a note in
 * `publish_anyway`, returns it instead; '' if all tests pass.
 */
export async function refuseFailingTests({ body, db, settings }: Call, tested: TestedForms): Promise<string> {
  const note = noteOf(body.publish_anyway)
  const errors = await failuresOf(tested, await readCalendars(db, settings.BANK_HOLIDAYS))
  if (Object.keys(errors).length === 0) return ''
  if (!note) throw fieldProblem(errors)
  return note
}

async function failuresOf(
  { service, tests, automations, deadlines, ...metas }: TestedForms,
  calendars: Calendars,
): Promise<FieldErrors> {
  const conditionContext = contextOfService(service)
  const deps = { validateSchema: ajvValidate, conditionContext, automations, deadlines, calendars }
  const errors: FieldErrors = {}
  for (const { index, test, differences } of runFormTests(metas, tests, deps)) {
    if (differences.length > 0)
      errors[`tests.${index}`] = differences.map(
        ({ message }) => `Test ${quoted(test.name)} fails: ${message}`,
      )
    // Yields to the event loop: a hundred tests of a large form take a while.
    await nextTurn()
  }
  return errors
}

function noteOf(note: unknown): string {
  if (note === undefined || note === null) return ''
  const text = typeof note === 'string' && note.length <= MAX_NOTE_LENGTH ? normaliseLong(note) : ''
  if (text === '')
    throw fieldProblem({
      publish_anyway: [
        `Say in at most ${MAX_NOTE_LENGTH} characters why it is published although tests fail`,
      ],
    })
  return text
}
