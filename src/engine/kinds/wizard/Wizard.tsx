import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import type { WizardScreen } from '../../../contract/generated.ts'
import type { Draft as DraftRow } from '../../../contract/types/entities.ts'
import type { Values } from '../../../contract/when.ts'
import { isPlainObject } from '../../../contract/when.ts'
import { Busy } from '../../core/Busy.tsx'
import { useRead } from '../../core/calls.ts'
import { useUser } from '../../core/user.ts'
import { DraftMissing } from '../../form/drafts/DraftMissing.tsx'
import { takeUnsaved } from '../../form/drafts/unsavedDocument.ts'
import type { MetaSnapshot } from './metas.ts'
import type { Start } from './useWizard.ts'
import { WizardRun } from './WizardRun.tsx'

type Draft = DraftRow & {
  payload: Partial<{
    document: Values
    completed: string[]
    metas: Record<string, MetaSnapshot>
    step: string
  }>
}

const ANEW: Start = { document: {}, completed: [], metas: {} }

/** The document with an existing record that the URL names, such as `?client=12`. */
function existingOf({ steps }: WizardScreen, search: URLSearchParams): Values {
  const at = steps.find(({ existing }) => existing)?.at ?? ''
  const id = Number(search.get(at))
  return Number.isSafeInteger(id) && id > 0 ? { [at]: id } : {}
}

/** A new record in steps. The URL has the step, and the id of a draft to resume (`?draft=12`). */
export default function Wizard({ screen }: { screen: WizardScreen }) {
  const { step } = useParams()
  const [search] = useSearchParams()
  // The URL also gets the id of a draft that is created here; only an id present at mount is fetched.
  const [draft] = useState(() => search.get('draft'))
  const { id: user } = useUser()
  const [start, setStart] = useState<{ from: Start; at?: string } | undefined>(() =>
    draft === null
      ? {
          from: {
            ...ANEW,
            document: existingOf(screen, search),
            unsaved: takeUnsaved(user, screen.route, undefined),
          },
        }
      : undefined,
  )
  const read = useRead<Draft>(start ? undefined : 'drafts.read', { params: { id: draft } })
  if (start) return <WizardRun screen={screen} start={start.from} here={step} resumeAt={start.at} />
  if (read.error) return <DraftMissing error={read.error} onRetry={() => void read.refetch()} />
  // Wait for the refetch: the cached draft may be older than the saved one.
  if (read.data && !read.isFetching)
    setStart(startOf(screen, read.data, takeUnsaved(user, screen.route, read.data.id)))
  return <Busy />
}

function startOf(
  { madeFrom }: WizardScreen,
  draft: Draft,
  unsaved: Values | undefined,
): { from: Start; at?: string } {
  const { document, completed, metas, step } = draft.payload ?? {}
  const from = {
    document: isPlainObject(document) ? document : {},
    completed: completed ?? [],
    metas: metas ?? {},
    draft: { id: draft.id, version: draft.version },
    source: madeFrom && (draft as Values)[madeFrom.draft],
    unsaved,
  }
  return { from, at: step }
}
