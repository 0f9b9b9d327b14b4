import { checkMeta } from '../contract/meta/checkMeta.ts'
import type { Known, MetaName, MetaProblem } from '../contract/meta/metaTypes.ts'
import { type Address, addressOf, isSame } from './address.ts'
import type { CaseType, CaseTypeUsage, Draftable } from './caseType.ts'

/** A problem where the screen can show it: `at` is the dotted path below the group or field ('attrs.when.eligible'). */
export interface EditorError {
  message: string
  meta?: MetaName
  address: Address
  at: string
}

/** What keeps a draft from being published, with the places where it can be put right. */
export function validationErrorsOf(
  draft: Draftable,
  known: Known,
  base: CaseType,
  usage: CaseTypeUsage,
): EditorError[] {
  const blank = draft.label.trim() === '' && [
    { message: 'Give the case type a name', address: [], at: 'label' },
  ]
  return [...(blank || []), ...checkMeta(draft, known, { meta: base, usage }).map((p) => placed(draft, p))]
}

// What is said of a name and of a test says itself what it is about.
const SPEAKING = /^(label|publish_anyway|tests\.\d+)$/

/** The field errors of a refused save ('case_meta.0.label': [messages]) with their places. */
export function serverErrorsOf(draft: Draftable, errors: unknown): EditorError[] {
  const entries = errors !== null && typeof errors === 'object' ? Object.entries(errors) : []
  return entries.flatMap(([key, messages]) => {
    const [meta, ...path] = key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
    const list: unknown[] = Array.isArray(messages) ? messages : []
    return list
      .map(String)
      .map((message) =>
        meta === 'case_meta' || meta === 'issue_meta'
          ? placed(draft, { meta, path, message })
          : { message: SPEAKING.test(key) ? message : `${key}: ${message}`, address: [], at: key },
      )
  })
}

/** Messages of exactly this place and, below it, of the part that begins with `at`. */
export function messagesAt(errors: EditorError[], address: Address, at: string): string[] {
  const here = errors.filter((f) => isSame(f.address, address) && `${f.at}.`.startsWith(`${at}.`))
  return [...new Set(here.map((f) => f.message))]
}

function placed(draft: Draftable, { meta, path, message }: MetaProblem): EditorError {
  const address = addressOf(draft[meta], path)
  return { message, meta, address, at: path.slice(Math.max(0, address.length * 2 - 1)).join('.') }
}
