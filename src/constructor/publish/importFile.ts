import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import type { Contract } from '../../contract/contract.ts'
import { locate, type Problem, position } from '../../contract/locate.ts'
import { suggest } from '../../contract/suggest.ts'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import { makeCall } from '../../engine/runtime/calls.ts'
import type { Draft } from '../caseType.ts'
import type { EditorState } from '../useEditor.ts'
import { describeShapeError } from './describeShapeError.ts'

const MOST = 1_000_000
const FORM_NAMES = ['case_meta', 'issue_meta']
/** What an export holds. */
const KNOWN = { service: true, label: true, case_meta: true, issue_meta: true, tests: true }
const LONGEST_NAME = 30
const NO_CASE_TYPE =
  'This is no case type: it has neither case_meta (the case form) nor issue_meta (the issue form)'
const STRICT = { disallowComments: true, allowTrailingComma: false }

/**
 * The forms of a file of JSON as a draft with the pictures that are missing here, or what is wrong with it and where; the
 * server validates its shape.
 */
export async function importFile(
  contract: Contract,
  { base, history }: EditorState,
  file: File,
): Promise<{ draft: Draft; missing: Problem[] } | { problems: Problem[] }> {
  const at = (line: number, column: number, message: string) => ({ file: file.name, line, column, message })
  if (file.size > MOST) return { problems: [at(1, 1, 'The file is larger than 1 MB')] }
  const text = await file.text()
  const errors: ParseError[] = []
  const parsed: unknown = parse(text, errors, STRICT)
  if (errors.length > 0) {
    return {
      problems: errors.slice(0, 10).map(({ error, offset }) => {
        const { line, column } = position(text, offset)
        return at(line, column, `The file is not JSON here: ${errorText(printParseErrorCode(error))}`)
      }),
    }
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) {
    return { problems: [at(1, 1, NO_CASE_TYPE)] }
  }
  // A misspelt form would be left out in silence.
  const problems = Object.keys(parsed).flatMap((key) => {
    const meant = key in KNOWN || key.length > LONGEST_NAME ? '' : suggest(key, [...FORM_NAMES, 'tests'])
    const { line, column } = locate(text, [key], true)
    return meant ? [at(line, column, `A case type has no '${key}'${meant}`)] : []
  })
  if (!FORM_NAMES.some((name) => name in parsed)) {
    const { line, column } = locate(text, [])
    problems.unshift(at(line, column, NO_CASE_TYPE))
  }
  if (problems.length > 0) return { problems }
  // What the file does not have stays as it is.
  const { label, case_meta, issue_meta, tests } = { ...history.draft, ...(parsed as Partial<Draft>) }
  const draft = { label, case_meta, issue_meta, tests }
  const { errors: shapeErrors, missing } = await makeCall<Record<'errors' | 'missing', FieldErrors>>(
    contract,
    'caseTypes.checkShape',
    { params: { id: base.id }, body: draft },
  )
  const placed = (errors: FieldErrors, describe: (path: (string | number)[], message: string) => string) =>
    Object.entries(errors).flatMap(([key, messages]) => {
      const path = key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
      const { line, column } = locate(text, path, true)
      return [messages].flat().map((message) => at(line, column, describe(path, message)))
    })
  return Object.keys(shapeErrors).length > 0
    ? { problems: placed(shapeErrors, (path, message) => describeShapeError(draft, path, message)) }
    : { draft, missing: placed(missing, (_, message) => message) }
}

/** 'PropertyNameExpected' as 'property name expected'. */
function errorText(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}
