import type { FormScreen } from '../../contract/types.ts'
import { useMetaNews } from './useMetaNews.ts'
import type { WithValues } from './useWith.ts'

/** Tells that what a form is drawn by was published anew while it was open. */
export function MetaNews({ groups, withs }: { groups: FormScreen['groups']; withs: WithValues }) {
  const news = useMetaNews(groups, withs)
  if (!news) return null
  return (
    <p className="form-note" role="status">
      The form “{news}” was changed while you had it open. It is shown as it is now; what you typed is kept.
    </p>
  )
}
