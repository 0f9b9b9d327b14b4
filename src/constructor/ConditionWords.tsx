import type { ReactElement } from 'react'
import { answerWords } from '../contract/meta/answerWords.ts'
import { conditionParts, type TestPart, testWords } from '../contract/meta/conditionWords.ts'
import type { Field } from '../contract/types.ts'
import type { When } from '../contract/when.ts'
import { useChoices } from './choices.ts'

/** A condition as a sentence in which also the items of lists have their words. */
export function ConditionWords({ when, reach }: { when: When; reach: Map<string, Field> }): ReactElement {
  return (
    <>
      {conditionParts(when, reach).map((part, i) =>
        typeof part === 'string' ? part : <TestWords key={i} {...part} />,
      )}
    </>
  )
}

function TestWords(part: TestPart) {
  const choices = useChoices(part.path.includes('.') ? undefined : part.field)
  return testWords(
    part,
    (field, value) => choices?.find((c) => c.value === value)?.label ?? answerWords(field, value),
  )
}
