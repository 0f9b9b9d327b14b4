import { type RefObject, useEffect, useRef, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import type { Contract } from '../../../contract/contract.ts'
import type { PublicFormScreen } from '../../../contract/generated.ts'
import { type FieldErrors, withoutBlanks } from '../../../contract/validateAnswers.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import { useContract } from '../../core/contract.ts'
import { useDocumentTitle } from '../../core/pageContext.ts'
import { UnsavedGuard } from '../../form/drafts/UnsavedGuard.tsx'
import { validateForm } from '../../form/store/validateForm.ts'
import { CheckAnswers } from './CheckAnswers.tsx'
import { PublicPageForm } from './PublicPageForm.tsx'
import {
  allPages,
  contextOf,
  type PublicFormData,
  type PublicPage,
  valuesOf,
  visiblePages,
  withPage,
} from './pages.ts'
import type { SentReferral } from './Sent.tsx'
import { useSending } from './useSending.ts'

/** Step in the URL of the page with all answers. */
const CHECK = 'check'
const CHANGED =
  'The questions of this form have changed, and nothing is sent yet. Look through your answers, then send them.'
const LEAVE = {
  title: 'Leave this form?',
  text: 'What you have entered is not kept.',
  yes: 'Leave',
  no: 'Stay',
}

interface Props {
  screen: PublicFormScreen
  form: PublicFormData
  onSent: (sent: SentReferral) => void
  /** Refetches the form, because its questions may have changed. */
  readAgain: () => Promise<PublicFormData>
}

/** The pages of a public form, one at a time; the page is in the URL, so that the browser's Back goes back by one. */
export function PublicPages({ screen, form, onSent, readAgain }: Props) {
  const contract = useContract()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [document, setDocument] = useState<Values>({})
  const latest = useRef(document)
  const [refused, setRefused] = useState<{ page: string; errors: FieldErrors }>()
  const [seenForm, setSeenForm] = useState<PublicFormData | undefined>(form)
  const honeypot = useRef<HTMLInputElement>(null)

  const pagesOf = (requested: PublicFormData, answers: Values) =>
    evaluatePages(contract, screen, requested, answers)
  const { context, values, pages } = pagesOf(form, document)
  const errorsOf = (page: PublicPage) => validateForm([page.section], values, context)
  const go = (id: string, state?: object) => navigate(`?step=${id}`, { state })

  const sending = useSending(screen, {
    body: () => ({
      ...values,
      service: form.service,
      ...(screen.honeypot && honeypot.current?.value && { [screen.honeypot]: honeypot.current.value }),
    }),
    onSent,
    onRefused: async (errors) => {
      // Valid answers may be refused because the questions or their choices have changed meanwhile.
      const now = pagesOf(await readAgain(), latest.current)
      const page = now.pages.find((one) => Object.keys(errors).some((path) => isOn(one, path)))
      if (!page) return setSeenForm(undefined)
      setRefused({ page: page.id, errors })
      go(page.id)
    },
  })

  const here = search.get('step') ?? pages[0].id
  const unfinished = pages.findIndex((page) => Object.keys(errorsOf(page)).length > 0)
  const reachable = unfinished < 0 ? pages.length : unfinished
  const at = here === CHECK ? pages.length : pages.findIndex(({ id }) => id === here)
  const page = pages[at]
  const heading = page?.title ?? 'Check your answers'
  const position = `Step ${at + 1} of ${pages.length + 1}`
  useDocumentTitle(`${position}: ${heading} – ${screen.title}`)
  const title = useHeadingFocus(here)

  // Redirect from a page that is not reachable yet or no longer visible; after a reload that is all but the first.
  if (at < 0 || at > reachable) {
    const to = pages[Math.min(reachable, pages.length - 1)]
    return <Navigate to={`?step=${at < 0 && reachable === pages.length ? CHECK : to.id}`} replace />
  }
  const change = (pageValues: Values) => {
    latest.current = withPage(page, latest.current, pageValues)
    setDocument(latest.current)
  }
  const next = (isToCheck: boolean) => {
    setRefused(undefined)
    setSeenForm(form)
    const now = pagesOf(form, latest.current)
    const following = now.pages[now.pages.findIndex(({ id }) => id === page.id) + 1]
    go(isToCheck ? CHECK : (following?.id ?? CHECK))
  }
  return (
    <>
      <PageHead {...{ form, position, heading, title }} isChanged={form !== seenForm} isFirst={at === 0} />
      {page ? (
        <PublicPageForm
          key={page.id}
          page={page}
          document={withPage(page, values, document)}
          context={context}
          errors={refused?.page === page.id ? refused.errors : undefined}
          back={pages[at - 1]?.id}
          onChange={change}
          onNext={next}
        />
      ) : (
        <CheckAnswers
          pages={pages}
          document={values}
          context={context}
          back={pages[at - 1].id}
          sending={{
            ...sending,
            send: () => {
              setSeenForm(form)
              sending.send()
            },
          }}
        />
      )}
      {screen.honeypot && <Honeypot name={screen.honeypot} input={honeypot} />}
      <UnsavedGuard when={() => Object.keys(withoutBlanks(latest.current)).length > 0} texts={LEAVE} />
    </>
  )
}

/** The answers that count, the pages that are asked, and the context of their conditions. */
function evaluatePages(
  contract: Contract,
  screen: PublicFormScreen,
  form: PublicFormData,
  answers: Values,
): { context: ConditionContext; values: Values; pages: PublicPage[] } {
  const context = contextOf(form, answers)
  const all = allPages(contract, screen, form, answers)
  const values = valuesOf(all, answers, context)
  return { context, values, pages: visiblePages(all, values, context) }
}

interface PageHeadProps {
  form: PublicFormData
  position: string
  heading: string
  title: RefObject<HTMLHeadingElement | null>
  /** The questions have changed since the person saw them. */
  isChanged: boolean
  isFirst: boolean
}

/** What stands above the questions of a page: its place among the others, its heading and notes. */
function PageHead({ form, position, heading, title, isChanged, isFirst }: PageHeadProps) {
  return (
    <>
      <p className="public-caption">
        {form.title} <span className="public-position">{position}</span>
      </p>
      <h1 className="heading" tabIndex={-1} ref={title}>
        {heading}
      </h1>
      {isChanged && (
        <p className="note" role="alert">
          {CHANGED}
        </p>
      )}
      {isFirst && form.intro && <p className="public-intro">{form.intro}</p>}
    </>
  )
}

/** A honeypot: a field for bots, which people can neither see nor reach. */
function Honeypot({ name, input }: { name: string; input: RefObject<HTMLInputElement | null> }) {
  return (
    <div className="visually-hidden" aria-hidden="true">
      <label>
        Leave this empty
        <input type="text" name={name} ref={input} tabIndex={-1} autoComplete="off" defaultValue="" />
      </label>
    </div>
  )
}

/** Moves the focus to the heading after navigation between pages. */
function useHeadingFocus(page: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(page)
  useEffect(() => {
    if (before.current === page) return
    before.current = page
    window.scrollTo?.(0, 0)
    // The error summary takes precedence.
    if (!window.document.activeElement?.closest('.error-summary')) heading.current?.focus()
  }, [page])
  return heading
}

/** True if the path of an error belongs to a field of this page. */
function isOn({ section: { at, groups } }: PublicPage, path: string): boolean {
  return groups.some(({ fields }) =>
    fields.some(({ name }) => {
      const own = at ? `${at}.${name}` : name
      return path === own || path.startsWith(`${own}.`)
    }),
  )
}
