import { Button, Callout } from '@blueprintjs/core'
import type { MetaNews } from './metas.ts'

/** What changed in the questions since this was begun. */
export function News({ news, onRead }: { news: MetaNews; onRead: () => void }) {
  return (
    <Callout className="form-note" title="The questions have changed since you began" role="status">
      {news.added.length > 0 && <p>New: {news.added.join(', ')}</p>}
      {news.gone.length > 0 && (
        <p>No longer asked: {news.gone.join(', ')}. Your answers to these are kept.</p>
      )}
      <Button size="small" text="Go on" onClick={onRead} />
    </Callout>
  )
}
