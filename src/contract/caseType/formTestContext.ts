import type { Calendars } from '../deadlines/calendars.ts'
import { holidaysOfCase } from '../deadlines/holidaysAround.ts'
import type { DeadlineExpectation, FormTest } from '../generated.ts'
import type { ConditionContext, Values } from '../when.ts'

/** Condition context of a test on a form of this service: a case of the service, and a client without any data. */
export function contextOfService(service: number): ConditionContext {
  return { with: { case: { service }, client: {} } }
}

/**
 * Condition context with the roles and the date of a test, what it says of the record, its case, its client and the last
 * record, and the bank holidays of the council area that it names.
 */
export function contextOfTest(
  { meta, as, with: own = {} }: Pick<FormTest, 'meta' | 'as' | 'with'>,
  around: ConditionContext,
  calendars?: Calendars,
): ConditionContext {
  const caseValues = { ...(around.with?.case as Values | undefined), ...own.case }
  const holidays = holidaysOfCase(
    calendars,
    meta === 'case_meta' ? { ...caseValues, ...own.record } : caseValues,
  )
  return {
    ...around,
    user: { groups: as.roles ?? [] },
    today: as.today,
    withDefaults: true,
    ...(holidays && { holidays }),
    ...(own.record && { record: own.record }),
    ...((own.case || own.client || own.last) && {
      with: {
        ...around.with,
        case: caseValues,
        ...(own.client && { client: own.client }),
        ...(own.last && { last: { answers: own.last } }),
      },
    }),
  }
}

/** The states of deadlines by name, as conditions of automations read them. */
export function statesOf(deadlines: Record<string, DeadlineExpectation | null>): Values {
  return Object.fromEntries(Object.entries(deadlines).map(([name, one]) => [name, one?.state ?? 'none']))
}
