import { type ParseError, parse } from 'jsonc-parser'
import type { Contract } from '../../contract/contract.ts'
import { locate, type Problem, position } from '../../contract/locate.ts'
import { placesOf } from '../../contract/meta/places.ts'
import { pluralise } from '../../contract/pluralise.ts'
import { suggest } from '../../contract/suggest.ts'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import { makeCall } from '../../engine/core/calls.ts'
import { type Difference, differences } from '../forms/diff.ts'
import { automationDifferences, deadlineDifferences } from '../forms/diffDefinitions.ts'
import type { Draft } from '../state/caseType.ts'
import { describeShapeError } from '../state/describeShapeError.ts'
import type { EditorState } from '../state/useEditor.ts'

const MAX_LENGTH = 1_000_000
const FORM_NAMES = ['case_meta', 'issue_meta']
/** Imported properties of an export, which also has the service. */
const PARTS = ['label', 'case_meta', 'issue_meta', 'tests', 'automations', 'deadlines'] as const
const KNOWN: readonly string[] = [...PARTS, 'service']
const MAX_NAME_LENGTH = 30
const NO_CASE_TYPE =
  'This is not a case type: it has neither case_meta (the case form) nor issue_meta (the issue form)'
const STRICT = { disallowComments: true, allowTrailingComma: false }

/**
 * Parses a JSON file into parts of a draft and the pictures missing on this server, or returns the errors with their
 * positions. The server validates the shape.
 */
export async function importFile(
  contract: Contract,
  { base, history }: EditorState,
  file: File,
): Promise<{ parts: Partial<Draft>; missing: Problem[] } | { problems: Problem[] }> {
  const at = (line: number, column: number, message: string) => ({ file: file.name, line, column, message })
  if (file.size > MAX_LENGTH) return { problems: [at(1, 1, 'The file is larger than 1 MB')] }
  const text = await file.text()
  const errors: ParseError[] = []
  const parsed: unknown = parse(text, errors, STRICT)
  // Later parse errors are consequences of the first.
  if (errors.length > 0) {
    const { line, column } = position(text, errors[0].offset)
    return { problems: [at(line, column, 'The file is not valid JSON')] }
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) {
    return { problems: [at(1, 1, NO_CASE_TYPE)] }
  }
  // A misspelt form would be ignored silently.
  const problems = Object.keys(parsed).flatMap((key) => {
    const meant =
      KNOWN.includes(key) || key.length > MAX_NAME_LENGTH
        ? ''
        : suggest(key, [...FORM_NAMES, 'tests', 'automations', 'deadlines'])
    const { line, column } = locate(text, [key], true)
    return meant ? [at(line, column, `A case type has no '${key}'${meant}`)] : []
  })
  if (!FORM_NAMES.some((name) => name in parsed)) {
    const { line, column } = locate(text, [])
    problems.unshift(at(line, column, NO_CASE_TYPE))
  }
  if (problems.length > 0) return { problems }
  const taken = PARTS.filter((part) => part in parsed)
  const parts: Partial<Draft> = Object.fromEntries(taken.map((part) => [part, (parsed as Draft)[part]]))
  // Parts that the file lacks stay unchanged.
  const draft = { ...history.draft, ...parts }
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
  const refused = Object.keys(shapeErrors).length > 0 ? shapeErrors : repeatedNames(parts)
  return Object.keys(refused).length > 0
    ? { problems: placed(refused, (path, message) => describeShapeError(draft, path, message)) }
    : { parts, missing: placed(missing, (_, message) => message) }
}

/**
 * Errors of fields, automations and deadlines with the name of an earlier one, by the path of the name; the editor
 * identifies them by name.
 */
function repeatedNames(parts: Partial<Draft>): FieldErrors {
  const errors: FieldErrors = {}
  for (const meta of ['case_meta', 'issue_meta'] as const) {
    const seen = new Set<string>()
    for (const { field, repeats, path } of placesOf(parts[meta] ?? [])) {
      const key = [...repeats, field].map(({ name }) => name).join('.')
      if (seen.has(key))
        errors[[meta, ...path, 'name'].join('.')] = [`Another field has the name '${field.name}' too`]
      seen.add(key)
    }
  }
  for (const [list, what] of [
    ['automations', 'automation'],
    ['deadlines', 'deadline'],
  ] as const) {
    const names = (parts[list] ?? []).map(({ name }) => name)
    for (const [i, name] of names.entries())
      if (names.indexOf(name) < i)
        errors[`${list}.${i}.name`] = [`Another ${what} has the name '${name}' too`]
  }
  return errors
}

/** "good.json replaced the draft: 2 questions added, 1 removed; 1 automation changed" */
export function describeReplacement(file: string, before: Draft, after: Draft): string {
  const questions = differences(before, after).filter(({ path }) => path.length > 1)
  const counts = [
    countChanges('question', questions),
    countChanges('automation', automationDifferences(before, after)),
    countChanges('deadline', deadlineDifferences(before, after)),
  ]
  const words = counts.filter(Boolean).join('; ') || 'the questions are the same'
  return `${file} replaced the draft: ${words}`
}

/** "2 questions added, 3 changed"; '' for none. */
function countChanges(what: string, found: Pick<Difference, 'change'>[]): string {
  return (['added', 'changed', 'moved', 'removed'] as const)
    .map((change) => ({ change, count: found.filter((one) => one.change === change).length }))
    .filter(({ count }) => count > 0)
    .map(({ change, count }, i) => `${i === 0 ? pluralise(count, what) : count} ${change}`)
    .join(', ')
}
