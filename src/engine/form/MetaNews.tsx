import { Button } from '@blueprintjs/core'
import type { MouseEvent } from 'react'
import type { FormScreen } from '../../contract/types.ts'
import type { Values } from '../../contract/when.ts'
import { useMetaNews } from './useMetaNews.ts'

interface Props {
  groups: FormScreen['groups']
  /** What the form reads besides its record, by name. */
  values: Values
  /** Another one after each save. */
  saved?: unknown
}

/** Tells in the bar of a form, which is always in sight, that what the form is drawn by was published anew while it was open. */
export function MetaNews({ groups, values, saved }: Props) {
  const [news, settle] = useMetaNews(groups, values, saved)
  const dismiss = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const buttons = currentTarget.closest('.form-bar')?.querySelectorAll('button') ?? []
    ;[...buttons].find((one) => one !== currentTarget)?.focus()
    settle()
  }
  return (
    <div className={news ? 'form-news' : 'visually-hidden'}>
      {/* There before its words are, or they would not be read out. */}
      <div role="status">
        {news && (
          <p>
            The form “{news}” was changed while you had it open; what you typed is kept. This note goes when
            you save.
          </p>
        )}
      </div>
      {news && <Button size="small" text="Dismiss" aria-label="Dismiss this note" onClick={dismiss} />}
    </div>
  )
}
