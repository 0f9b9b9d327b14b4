import { useEffect, useMemo, useState } from 'react'
import { contextOfService } from '../../contract/caseType/formTestContext.ts'
import type { FormTestDeps } from '../../contract/caseType/formTests.ts'
import { type Difference, runFormTests } from '../../contract/caseType/runFormTest.ts'
import type { Calendars } from '../../contract/deadlines/calendars.ts'
import type { FormTest } from '../../contract/generated.ts'
import { validateSchema } from '../../engine/form/store/validateSchema.ts'
import type { Definitions } from '../forms/definitions.ts'
import { type CoveredCondition, coverageOf } from '../forms/formTestCoverage.ts'
import type { Draft } from '../state/caseType.ts'

/** Debounce of a test run and the longest time that it blocks the main thread, in ms. */
const DELAY_MS = 200
const SLICE_MS = 8

export interface TestResults {
  /** Failures of each test; [] if it passes, missing until it has run. */
  differences: Map<FormTest, Difference[]>
  conditions: CoveredCondition[]
}

/** Dependencies of a test run, for cases of a service. */
export function useTestDeps(
  service: number,
  { automations, deadlines }: Definitions,
  calendars?: Calendars,
): FormTestDeps {
  return useMemo(
    () => ({
      validateSchema,
      conditionContext: contextOfService(service),
      automations,
      deadlines,
      calendars,
    }),
    [service, automations, deadlines, calendars],
  )
}

/** Test results of a draft, updated in the background after each change; undefined until the first run has ended. */
export function useTestResults(draft: Draft, deps: FormTestDeps): TestResults | undefined {
  const { case_meta, issue_meta, tests, automations, deadlines } = draft
  const [results, setResults] = useState<TestResults>()
  useEffect(() => {
    const metas = { case_meta, issue_meta }
    const running = runFormTests(metas, tests, deps)
    const differences: TestResults['differences'] = new Map()
    const goOn = () => {
      const end = performance.now() + SLICE_MS
      for (let next = running.next(); !next.done; next = running.next()) {
        differences.set(next.value.test, next.value.differences)
        if (performance.now() <= end) continue
        timer = setTimeout(goOn)
        return
      }
      setResults({
        differences,
        conditions: coverageOf({ ...metas, automations, deadlines }, tests, deps.conditionContext),
      })
    }
    let timer = setTimeout(goOn, DELAY_MS)
    return () => clearTimeout(timer)
  }, [case_meta, issue_meta, tests, automations, deadlines, deps])
  return results
}
