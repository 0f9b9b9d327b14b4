import { Button, Checkbox, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactElement, useMemo, useState } from 'react'
import { pluralise } from '../../contract/pluralise.ts'
import { Dialog } from '../../engine/core/Dialog.tsx'
import { ScrollRegion } from '../../engine/core/ScrollRegion.tsx'
import { focusBody } from '../controls/focusBody.ts'
import { TextSetting } from '../controls/TextSetting.tsx'
import type { EditorState } from '../state/useEditor.ts'
import { findTexts, type Replacement, replaceTexts } from './replaceTexts.ts'
import type { Part } from './replaceWords.ts'
import { textPlaces } from './textPlaces.ts'

/** Number of texts that are listed at once. */
const LISTED = 50

interface Props {
  editor: EditorState
  onClose: () => void
}

/** Finds words in all texts of a case type and replaces them where they are ticked, as one step of undo. */
export default function ReplaceDialog({ editor, onClose }: Props): ReactElement {
  const { draft } = editor.history
  const [find, setFind] = useState('')
  const [replacement, setReplacement] = useState('')
  const [matchesCase, setMatchesCase] = useState(false)
  const [wholeWords, setWholeWords] = useState(false)
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(NONE)
  const [listed, setListed] = useState(LISTED)
  const places = useMemo(() => textPlaces(draft), [draft])
  const found = useMemo(
    () => findTexts(places, { find, matchesCase, wholeWords }, replacement),
    [places, find, matchesCase, wholeWords, replacement],
  )
  const chosen = found.filter(({ key, problem }) => !problem && !unticked.has(key))
  const search = (text: string) => {
    setFind(text)
    setUnticked(NONE)
    setListed(LISTED)
  }
  const tick = (key: string, isTicked: boolean) => {
    const next = new Set(unticked)
    if (isTicked) next.delete(key)
    else next.add(key)
    setUnticked(next)
  }
  const replace = () => {
    const { label: _, tests: __, ...parts } = replaceTexts(draft, chosen)
    const words = `“${find}” was replaced by “${replacement}” in ${pluralise(chosen.length, 'text')}`
    editor.replaceParts(parts, `Replaced “${find}”`, words)
    onClose()
  }
  const go = ({ place }: Replacement) => {
    editor.goTo(place.target)
    onClose()
  }
  return (
    <Dialog
      isOpen
      className="dialog constructor-history constructor-dialog"
      title="Find and replace"
      onClose={onClose}
      onOpened={focusBody}
    >
      <DialogBody>
        <p className="constructor-hint">
          Searches labels, help, notes, choices, messages, automations and deadlines of both forms. Stored
          names and values stay as they are.
        </p>
        <TextSetting label="Find" own maxLength={200} value={find} onChange={search} />
        <TextSetting label="Replace with" own maxLength={500} value={replacement} onChange={setReplacement} />
        <div className="constructor-buttons">
          <Checkbox
            label="Match case"
            checked={matchesCase}
            onChange={(event) => setMatchesCase(event.currentTarget.checked)}
          />
          <Checkbox
            label="Whole words"
            checked={wholeWords}
            onChange={(event) => setWholeWords(event.currentTarget.checked)}
          />
        </div>
        <p role="status">{statusOf(find, found, chosen)}</p>
        {found.length > 0 && (
          <ScrollRegion label="What is found" className="replace-found">
            <ul>
              {found.slice(0, listed).map((one) => (
                <FoundText
                  key={one.key}
                  found={one}
                  isTicked={chosen.includes(one)}
                  onTick={(isTicked) => tick(one.key, isTicked)}
                  onGo={() => go(one)}
                />
              ))}
            </ul>
            {found.length > listed && (
              <Button
                size="small"
                text={`Show ${Math.min(LISTED, found.length - listed)} more`}
                onClick={() => setListed(listed + LISTED)}
              />
            )}
          </ScrollRegion>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button
              intent="primary"
              text={chosen.length > 0 ? `Replace in ${pluralise(chosen.length, 'text')}` : 'Replace'}
              disabled={chosen.length === 0}
              onClick={replace}
            />
          </>
        }
      />
    </Dialog>
  )
}

const NONE: ReadonlySet<string> = new Set()

function statusOf(sought: string, found: Replacement[], chosen: Replacement[]): string {
  if (sought.trim() === '') return ''
  if (found.length === 0) return `No text has “${sought}”`
  const refused = found.filter(({ problem }) => problem).length
  const words = `Found in ${pluralise(found.length, 'text')}`
  if (refused > 0) return `${words}, of which ${refused} cannot be replaced`
  return chosen.length < found.length ? `${words}, ${chosen.length} ticked` : words
}

interface FoundProps {
  found: Replacement
  isTicked: boolean
  onTick: (isTicked: boolean) => void
  onGo: () => void
}

/** One text before and after, with a tick and a link to its place. */
function FoundText({ found, isTicked, onTick, onGo }: FoundProps): ReactElement {
  const { place, problem, before, after } = found
  const name = [...place.where, place.what].join(' › ')
  return (
    <li>
      <div className="replace-place">
        <Checkbox
          label={name}
          checked={isTicked}
          disabled={problem !== undefined}
          onChange={(event) => onTick(event.currentTarget.checked)}
        />
        <Button
          size="small"
          variant="minimal"
          icon="arrow-right"
          text="Go there"
          aria-label={`Go there: ${name}`}
          onClick={onGo}
        />
      </div>
      <p>
        <span className="visually-hidden">Now: </span>
        <Marked parts={before} as="del" />
      </p>
      {problem ? (
        <p className="constructor-facts">
          <strong>{problem}</strong>
        </p>
      ) : (
        <p>
          <span className="visually-hidden">Then: </span>
          <Marked parts={after} as="ins" />
        </p>
      )}
    </li>
  )
}

/** The parts of a text, with those that are found marked. */
function Marked({ parts, as: Mark }: { parts: Part[]; as: 'del' | 'ins' }): ReactElement {
  return (
    <>
      {parts.map(({ text, isFound }, i) =>
        // An index as key, because parts repeat and never move.
        isFound ? <Mark key={i}>{text}</Mark> : <span key={i}>{text}</span>,
      )}
    </>
  )
}
