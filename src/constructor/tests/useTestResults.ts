import { useEffect, useMemo, useState } from 'react'
import type { FormTest } from '../../contract/generated.ts'
import { type CoveredCondition, coverageOf } from '../../contract/meta/formTestCoverage.ts'
import { contextOfService, type FormTestDeps } from '../../contract/meta/formTests.ts'
import { type Difference, runFormTests } from '../../contract/meta/runFormTest.ts'
import { validateSchema } from '../../engine/form/validateSchema.ts'
import type { Draft } from '../caseType.ts'

/** Tests run once nothing was changed for so long, in ms, and at most so long at a stretch. */
const DELAY_MS = 200
const SLICE_MS = 8

export interface TestResults {
  /** What fails of each test; [] where it passes, missing where it is still to be run. */
  differences: Map<FormTest, Difference[]>
  conditions: CoveredCondition[]
}

/** What tests run with, for cases of a service. */
export function useTestDeps(service: number): FormTestDeps {
  return useMemo(() => ({ validateSchema, conditionContext: contextOfService(service) }), [service])
}

/** What the tests of a draft show now: run anew after each change, in the background; undefined until they first are. */
export function useTestResults(draft: Draft, deps: FormTestDeps): TestResults | undefined {
  const { case_meta, issue_meta, tests } = draft
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
      setResults({ differences, conditions: coverageOf(metas, tests, deps.conditionContext) })
    }
    let timer = setTimeout(goOn, DELAY_MS)
    return () => clearTimeout(timer)
  }, [case_meta, issue_meta, tests, deps])
  return results
}
