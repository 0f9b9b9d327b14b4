import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import type { Contract } from '../../contract/contract.ts'
import type { FieldErrors } from '../../contract/judge.ts'
import { locate, type Problem, position } from '../../contract/locate.ts'
import { makeCall } from '../../engine/calls.ts'
import type { Draft } from '../caseType.ts'
import type { Work } from '../useWorkbench.ts'
import { shapeWords } from './shapeWords.ts'

const MOST = 1_000_000
const STRICT = { disallowComments: true, allowTrailingComma: false }

/** The forms of a file of JSON as a draft, or what is wrong with it and where; the server judges its shape. */
export async function importFile(
  contract: Contract,
  { base, history }: Work,
  file: File,
): Promise<{ draft: Draft } | { problems: Problem[] }> {
  const at = (line: number, column: number, message: string) => ({ file: file.name, line, column, message })
  if (file.size > MOST) return { problems: [at(1, 1, 'The file is larger than 1 MB')] }
  const text = await file.text()
  const errors: ParseError[] = []
  const found: unknown = parse(text, errors, STRICT)
  if (errors.length > 0) {
    return {
      problems: errors.slice(0, 10).map(({ error, offset }) => {
        const { line, column } = position(text, offset)
        return at(line, column, `The file is not JSON here: ${words(printParseErrorCode(error))}`)
      }),
    }
  }
  if (found === null || typeof found !== 'object' || Array.isArray(found)) {
    return { problems: [at(1, 1, 'The file must hold an object with case_meta and issue_meta')] }
  }
  const { label = history.draft.label, case_meta = [], issue_meta = [] } = found as Partial<Draft>
  const draft = { label, case_meta, issue_meta }
  const { errors: refused } = await makeCall<{ errors: FieldErrors }>(contract, 'caseTypes.checkShape', {
    params: { id: base.id },
    body: draft,
  })
  if (Object.keys(refused).length === 0) return { draft }
  return {
    problems: Object.entries(refused).flatMap(([key, messages]) => {
      const path = key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
      const { line, column } = locate(text, path, true)
      return [messages].flat().map((message) => at(line, column, shapeWords(draft, path, message)))
    }),
  }
}

/** 'PropertyNameExpected' as 'property name expected'. */
function words(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}
